/*
 * Included ahead of every file where PAD is set: bytes in front of the object's code that nobody
 * executes.
 */
#ifndef PAD_H
#define PAD_H

__asm__(".text\n.p2align 4\n.skip " SUITE_PAD ", 0x90");

#endif
