/*
 * The texts the benchmarks work on, from a seeded generator: the same ones in every process.
 */
#ifndef DATA_H
#define DATA_H

enum data_shape {
	DATA_RECORDS,   /* an array of objects as an API would send */
	DATA_PROFILE,   /* one object with many short strings */
	DATA_NESTED,    /* arrays within arrays, no string */
	DATA_INTEGERS,  /* one long array */
	DATA_DECIMALS,  /* coordinates */
	DATA_PROSE,     /* long strings, nothing to escape */
	DATA_LOG_LINES, /* long strings with an escape here and there */
	DATA_DENSE,     /* short strings, several escapes in each */
	DATA_MESSAGE,   /* one small object with strings */
	DATA_POINT,     /* one small array of numbers */
	DATA_SHAPES
};

/* malloc'ed text, ended by a zero byte; exits where there is no memory. */
char *data_make(enum data_shape shape);

#endif
