/*
 * What planish.h and planish_trace.h share: how functions end, types, and the numbers of operations.
 */
#ifndef PLANISH_COMMON_H
#define PLANISH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a function ended. */
typedef enum planish_status {
    PLANISH_OK = 0,
    /* What was asked for does not fit; nothing was changed. The error of the handle says why. */
    PLANISH_REFUSED = 1,
    /* The trace can never run to its end, and is over. */
    PLANISH_INVALID_LOOP = 2,
    /* A pointer is null that must not be: a handle, a string, an array that has items, the place of a result. */
    PLANISH_NULL = 3,
    /* A string is not UTF-8. */
    PLANISH_TEXT = 4,
    /* No such word was described. */
    PLANISH_NO_SUCH_WORD = 5,
    /* The trace or function at hand has no such value or block. */
    PLANISH_NO_SUCH_VALUE = 6,
    /* There is no such operation, type, pass, rule, word or function. */
    PLANISH_NO_SUCH_NAME = 7,
    /* There is nothing more: the end of a trace, of a recipe, of a list. */
    PLANISH_END = 8,
    /* A mistake of the library. The handle does nothing more. */
    PLANISH_BROKEN = 9,
    /* A text cannot be read. The error says every place. */
    PLANISH_UNREADABLE = 10,
    /* A function or module is not valid. The error says everything that does not hold. */
    PLANISH_INVALID = 11,
    /* A rule is wrong, or no proof of it was found. The error says which, with a counterexample. */
    PLANISH_UNPROVED = 12,
    /* This library or this machine cannot do that. The error says what is missing. */
    PLANISH_UNSUPPORTED = 13
} planish_status;

/* Types of values. */
enum {
    PLANISH_TYPE_I1 = 0,
    PLANISH_TYPE_I8 = 1,
    PLANISH_TYPE_I16 = 2,
    PLANISH_TYPE_I32 = 3,
    PLANISH_TYPE_I64 = 4,
    PLANISH_TYPE_F32 = 5,
    PLANISH_TYPE_F64 = 6,
    PLANISH_TYPE_REF = 7
};

/* No word, no operation, no type. */
#define PLANISH_NONE UINT32_MAX

/* The number of an operation, by its name in the table of operations (docs/ops.md). Numbers are those of one version of
   the library. */
planish_status planish_op(const char *name, uint32_t *op);

/* The name of an operation: a text that is always there. */
planish_status planish_op_name(uint32_t op, const char **name);

/* The binary interface that this header describes, and the one of the library that is linked. It changes with every change
   to what is there already, as does the number in the name of the shared library. */
#define PLANISH_ABI 1
uint32_t planish_abi(void);

/* The version of the library: a text that is always there. */
const char *planish_version(void);

#ifdef __cplusplus
}
#endif

#endif
