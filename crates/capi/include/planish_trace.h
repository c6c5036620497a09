/*
 * planish-trace for C: record a trace, which is optimized on the way, and walk what is left.
 *
 * A recorder has a vocabulary: the classes, fields, arrays and functions of your language, told once, each with a
 * number. While your interpreter runs hot code you tell the recorder each operation. Each is looked at once, when
 * it comes; the numbers of values stay good names for what they were. When the loop is closed you get the trace:
 * walk its steps and make code of them. A step that leaves says what your interpreter needs to go on: values that
 * are kept, and a recipe for objects that were not made because nothing else needed them.
 *
 *   planish_recorder_new -> planish_class, planish_field ... -> planish_begin -> planish_begin_loop
 *     -> planish_record, planish_record_guard ... -> planish_close_loop -> planish_trace_step ... -> planish_recycle
 *
 * Every function but those that free something says how it ended. Nothing is global, and nothing is printed unless
 * there is a mistake in the library (PLANISH_BROKEN). A wrong argument is refused and changes nothing: not the trace,
 * not the memory where a result would go, and a trace that planish_recycle refuses is still yours. What cannot be
 * seen from inside is yours to keep:
 *
 *   - a handle is one that this library gave and did not take back, and is used by one thread at a time;
 *   - an array has as many items as you say, and a string ends with zero;
 *   - arrays and results of one call are different memory;
 *   - the number of a value is of the trace at hand: a number of an earlier trace may be that of something else;
 *   - where there is no memory left, the process is aborted.
 *
 * Status codes, types and the numbers of operations stand in planish_common.h. A complete example is examples/c/boxes.c.
 * Link with libplanish: `pkg-config --cflags --libs planish` says how.
 */
#ifndef PLANISH_TRACE_H
#define PLANISH_TRACE_H

#include "planish_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records traces. */
typedef struct planish_recorder planish_recorder;

/* A trace. */
typedef struct planish_trace planish_trace;

/* Numbers of values. They are there until the next call of planish_trace_step for the trace. */
typedef struct planish_values {
    const uint32_t *items;
    size_t count;
} planish_values;

/* A place in a trace; all zero is its beginning. */
typedef struct planish_cursor {
    uint32_t block;
    uint32_t position;
} planish_cursor;

/* Kinds of steps. */
enum {
    /* An operation on `operands` with `results`. */
    PLANISH_STEP_OPERATION = 0,
    /* The loop begins: its parameters, `results`, take the values of `operands`, and new ones at each jump. */
    PLANISH_STEP_LOOP = 1,
    /* Back to the head of the loop with the values of `operands` for its parameters. */
    PLANISH_STEP_JUMP = 2,
    /* The end, with the results `operands`. */
    PLANISH_STEP_FINISH = 3,
    /* The end: on at the head of the loop whose entry is `word`, with the values of `operands`. */
    PLANISH_STEP_ENTER = 4
};

/* A step of a trace. */
typedef struct planish_step {
    /* PLANISH_STEP_... */
    uint32_t kind;
    /* The operation, as planish_op numbers it, or PLANISH_NONE. */
    uint32_t op;
    /* The class, field, array, function or entry that it names, or PLANISH_NONE. */
    uint32_t word;
    /* The place of the operation as it was recorded, from 1. */
    uint32_t number;
    planish_values operands;
    planish_values results;
    /* Whether it may leave. */
    bool leaves;
    /* The exit by which it does. */
    uint32_t exit;
    /* The values that are kept for that. */
    planish_values live;
    /* How many steps the recipe has that is carried out then; often none. */
    size_t recipe_steps;
} planish_step;

/* A value that a recipe speaks of: of the values that are kept, or of those that its steps make, the one at a
   position. */
typedef struct planish_slot {
    bool made;
    uint32_t position;
} planish_slot;

/* Values that a recipe speaks of. They are there as long as those of a step. */
typedef struct planish_slots {
    const planish_slot *items;
    size_t count;
} planish_slots;

/* A step of a recipe: an allocation, or a store. */
typedef struct planish_recipe_step {
    uint32_t op;
    uint32_t word;
    planish_slots operands;
} planish_recipe_step;

/* Kinds of operands. */
enum {
    /* An input, a parameter of the loop, or the result of a step. */
    PLANISH_OPERAND_VALUE = 0,
    /* The constant `integer`, with the sign of its own width. */
    PLANISH_OPERAND_INTEGER = 1,
    /* The constant `real`. */
    PLANISH_OPERAND_REAL = 2,
    /* The null reference. */
    PLANISH_OPERAND_NULL = 3,
    /* The address of the class or function `word`. */
    PLANISH_OPERAND_ADDRESS = 4,
    /* Nothing: a value that the other side of an exit does not look at. */
    PLANISH_OPERAND_NONE = 5
};

/* What a value is. */
typedef struct planish_operand {
    /* PLANISH_OPERAND_... */
    uint32_t kind;
    uint32_t word;
    int64_t integer;
    double real;
} planish_operand;

/* ---- Recorders and words ---------------------------------------------------------------------------------- */

/* Makes a recorder that optimizes with these passes while it records, by name and divided by colons; null stands
   for all that can be done then. */
planish_status planish_recorder_new(const char *passes, planish_recorder **recorder);

/* Gives a recorder back. Its traces stay. */
void planish_recorder_free(planish_recorder *recorder);

/* Why a function that was given the recorder did not do what it was asked for, the last time: a text that is there
   until the next call for the recorder. Empty without a recorder. */
const char *planish_recorder_error(const planish_recorder *recorder);

/* Lets a recorder look at so many operations of each trace; those behind are recorded as they are. */
planish_status planish_recorder_limit(planish_recorder *recorder, uint64_t operations);

/* Describes a class of objects. The references in a new object are null, its other fields undefined until set. */
planish_status planish_class(planish_recorder *recorder, const char *name, uint32_t *word);

/* Describes a field of a type. An immutable one does not change once its object is filled in. Two fields never
   overlap. */
planish_status planish_field(planish_recorder *recorder, const char *name, uint32_t ty, bool immutable, uint32_t *word);

/* Describes arrays of items of a type. */
planish_status planish_array(planish_recorder *recorder, const char *name, uint32_t item, uint32_t *word);

/* Describes a function: one that only computes from its arguments, or one that may do anything. */
planish_status planish_callee(planish_recorder *recorder, const char *name, bool pure, uint32_t *word);

/* Describes the head of a loop that other traces may enter, with the types of what they hand over: a contract between
   traces. Each loop that is recorded with it keeps to that, also a second one: a loop that is recorded again, since the
   first attempt was given up or the first version no longer holds. Which of them is entered is for whoever runs the traces
   to say. */
planish_status planish_entry(planish_recorder *recorder, const char *name, const uint32_t *types, size_t count, uint32_t *word);

/* ---- Recording -------------------------------------------------------------------------------------------- */

/* Begins a trace with inputs of some types; their values go to `values`. A trace at hand is given up. */
planish_status planish_begin(planish_recorder *recorder, const char *name, const uint32_t *types, size_t count, uint32_t *values);

/* Begins a bridge: a trace that goes on where `parent` leaves through the exit `exit`. Its inputs, as many as the guard was
   recorded with, go to `values`. What holds there in the parent is known in the bridge. Refused is an exit that no guard of
   the parent has any more. */
planish_status planish_begin_bridge(planish_recorder *recorder, const char *name, const planish_trace *parent, uint32_t exit, size_t count, uint32_t *values);

/* The same for a bridge that is handed what is kept for the exit, `live` of the guard's step without those that are
   PLANISH_OPERAND_NONE: its inputs go to `kept`. What the guard was recorded with goes to `values` all the same: the bridge
   makes objects that the recipe would make, where it needs them. */
planish_status planish_begin_bridge_unmade(planish_recorder *recorder, const char *name, const planish_trace *parent, uint32_t exit, size_t count, uint32_t *values, size_t kept_count, uint32_t *kept);

/* The head of the loop, which begins with the values of `state`: the values that stand for the state in every
   iteration go to `values`. What was recorded before runs once. */
planish_status planish_begin_loop(planish_recorder *recorder, const uint32_t *state, size_t count, uint32_t *values);

/* The same for a loop that other traces may enter: `state` is what its entry takes, and the loop keeps all of it, in
   order. What was before is not known in the loop, whose operations use what comes to `values` and constants. */
planish_status planish_begin_entered_loop(planish_recorder *recorder, uint32_t entry, const uint32_t *state, size_t count, uint32_t *values);

/* An integer constant of 64 bits. Constants are values of the trace at hand, as others are. */
planish_status planish_int(planish_recorder *recorder, int64_t number, uint32_t *value);

/* A float constant of 64 bits. */
planish_status planish_real(planish_recorder *recorder, double number, uint32_t *value);

/* The null reference. */
planish_status planish_null(planish_recorder *recorder, uint32_t *value);

/* The address of a class, as guards on classes take it. */
planish_status planish_class_address(planish_recorder *recorder, uint32_t class_word, uint32_t *value);

/* Records an operation with one result whose type its operands tell; a comparison gives a word of 64 bits. */
planish_status planish_record(planish_recorder *recorder, uint32_t op, const uint32_t *operands, size_t count, uint32_t *value);

/* Records an operation with one result of the type PLANISH_TYPE_... that is named: a conversion, whose operands do not
   tell it, or a comparison of another width. */
planish_status planish_record_typed(planish_recorder *recorder, uint32_t op, const uint32_t *operands, size_t count, uint32_t ty, uint32_t *value);

/* Records an operation that may overflow: its result, and a bit for a guard. */
planish_status planish_record_overflowing(planish_recorder *recorder, uint32_t op, const uint32_t *operands, size_t count, uint32_t *value, uint32_t *overflows);

/* Records a guard: where it fails, the trace is left by the exit `exit` with the values of `live`. */
planish_status planish_record_guard(planish_recorder *recorder, uint32_t op, const uint32_t *operands, size_t count, uint32_t exit, const uint32_t *live, size_t live_count);

/* Records the making of an object. */
planish_status planish_new_object(planish_recorder *recorder, uint32_t class_word, uint32_t *value);

/* Records the making of an array of a length. */
planish_status planish_new_array(planish_recorder *recorder, uint32_t array, uint32_t length, uint32_t *value);

/* Records a load of a field of an object that is not null and has it. */
planish_status planish_get_field(planish_recorder *recorder, uint32_t field, uint32_t object, uint32_t *value);

/* Records a store to a field of an object that is not null and has it. */
planish_status planish_set_field(planish_recorder *recorder, uint32_t field, uint32_t object, uint32_t stored);

/* Records a load of an item of an array; the index is in bounds. */
planish_status planish_get_item(planish_recorder *recorder, uint32_t array, uint32_t object, uint32_t index, uint32_t *value);

/* Records a store to an item of an array; the index is in bounds. */
planish_status planish_set_item(planish_recorder *recorder, uint32_t array, uint32_t object, uint32_t index, uint32_t stored);

/* Records that the length of an array is asked. */
planish_status planish_array_length(planish_recorder *recorder, uint32_t array, uint32_t object, uint32_t *value);

/* Records a call; with a type, which may be null, it has a result. */
planish_status planish_call(planish_recorder *recorder, uint32_t callee, const uint32_t *arguments, size_t count, const uint32_t *ty, uint32_t *value);

/* How many operations the trace at hand has so far. */
planish_status planish_length(planish_recorder *recorder, size_t *length);

/* Ends the trace with a jump to the head of its loop, and hands it over. */
planish_status planish_close_loop(planish_recorder *recorder, const uint32_t *state, size_t count, planish_trace **trace);

/* Ends the trace, which is left with these results, and hands it over. */
planish_status planish_finish(planish_recorder *recorder, const uint32_t *results, size_t count, planish_trace **trace);

/* Ends the trace by going on at the head of another trace's loop with what its entry takes, and hands it over. */
planish_status planish_enter(planish_recorder *recorder, uint32_t entry, const uint32_t *state, size_t count, planish_trace **trace);

/* Gives a trace back to a recorder, whose next trace takes its memory. One that is refused is still yours. */
planish_status planish_recycle(planish_recorder *recorder, planish_trace *trace);

/* Gives a trace back. */
void planish_trace_free(planish_trace *trace);

/* ---- Walking ---------------------------------------------------------------------------------------------- */

/* One more than the largest number that a value of a trace has: the size of a table over values. */
planish_status planish_trace_values(const planish_trace *trace, size_t *count);

/* The step at a place, which goes on to the next; PLANISH_END at the end. */
planish_status planish_trace_step(planish_trace *trace, planish_cursor *cursor, planish_step *step);

/* A step of the recipe of the step that was asked for last; PLANISH_END behind the last. */
planish_status planish_trace_recipe(const planish_trace *trace, size_t index, planish_recipe_step *step);

/* What the other side gets where the step that was asked for last leaves: for each value that was asked for, in
   order, what it is. */
planish_status planish_trace_state(const planish_trace *trace, planish_slots *state);

/* What a value of a trace is that was made by a recorder. */
planish_status planish_trace_operand(planish_recorder *recorder, const planish_trace *trace, uint32_t value, planish_operand *operand);

#ifdef __cplusplus
}
#endif

#endif
