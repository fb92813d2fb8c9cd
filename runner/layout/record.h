/*
 * The record of one link: written by duel-ld inside the confined build, read back by links.c.
 *
 * A record is a file NAME.link in the record directory: strings, each ended by a zero byte, first
 * RECORD_MAGIC, then "KEY=value" fields in this order:
 *
 *   linker=  the program that was run               cwd=     where
 *   output=  as the command line names it           stored=  a copy of the output, as it was linked
 *   env=     NAME=value, any number                 copy= or temporary=  a copy of the next
 * argument's arg=     any number, without argv[0]                     file; temporary where it will
 * be gone
 *
 * Copies lie in the folder RECORD_STORE beside the records, named by content, so that an archive
 * used by a hundred links is kept once. Names of records sort by the time of the link.
 */
#ifndef RUNNER_LAYOUT_RECORD_H
#define RUNNER_LAYOUT_RECORD_H

#define RECORD_MAGIC "duel-link 1"
#define RECORD_FOLDER "links" /* the record directory, in scratch */
#define RECORD_STORE "store"
#define RECORD_SUFFIX ".link"

#define RECORD_VARIABLE "DUEL_LINKS" /* names the record directory to duel-ld */

#define RECORD_BYTES_MAX (8u << 20)    /* one record */
#define RECORD_ARGS_MAX 65536          /* arguments of one link, response files expanded */
#define RECORD_STORED_MAX (256u << 20) /* bytes of a file that is copied */

#endif
