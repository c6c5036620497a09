/*
 * Planish for C: functions in SSA form, built or read from text, optimized by proved rules, run, printed and compiled.
 *
 * A module owns functions. Build one block by block, or read a text (docs/ssa.md); an optimizer makes the module better and
 * says what it did and why; the interpreter runs it; the text reads back as the same module.
 *
 *   planish_module_new -> planish_function_new -> planish_block_new ... -> planish_build_op ... -> planish_build_return
 *     -> planish_function_finish -> planish_optimize -> planish_run, planish_module_text, planish_compile
 *
 * Every function but those that free something or give an error says how it ended. A wrong argument is refused and changes
 * nothing: not the module, not the memory where a result would go. Why something was refused, the handle says
 * (planish_module_error and the like). Nothing is printed unless there is a mistake in the library (PLANISH_BROKEN).
 *
 * Who owns what: what a function gives through a `**` parameter of a handle is yours, to give back by the function that ends
 * in `_free`, in any order; nothing of one handle points into another. Every other pointer that the library gives is the
 * handle's. Where nothing else is said, it leads to something until the next call for that handle. The library keeps no
 * pointer of yours behind the end of a call.
 *
 * Threads: a handle is used by one thread at a time, and may be used by another one later. Different handles may be used at
 * the same time. Nothing is global, and equal calls give equal results.
 *
 * What cannot be seen from inside is yours to keep:
 *
 *   - a handle is one that this library gave and did not take back;
 *   - an array has as many items as you say, and a string ends with zero;
 *   - arrays and results of one call are different memory;
 *   - a host (planish_run) does not use the module that is running, and neither throws nor jumps out;
 *   - where there is no memory left, the process is aborted.
 *
 * Status codes, types and the numbers of operations stand in planish_common.h. A complete example is examples/c/formula.c.
 * Link with libplanish: `pkg-config --cflags --libs planish` says how.
 */
#ifndef PLANISH_H
#define PLANISH_H

#include "planish_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A module. */
typedef struct planish_module planish_module;

/* An optimizer: passes, rules, limits, and what the last run did. */
typedef struct planish_optimizer planish_optimizer;

/* Machine code of a function. */
typedef struct planish_code planish_code;

/* The type of integers of a width from 1 to 64. Where the library gives a type, widths that have a PLANISH_TYPE_I... have
   that number. */
#define PLANISH_TYPE_INT(width) (256u + (width))

/* One thing that is wrong. */
typedef struct planish_error {
    /* Where it is in the text that was read, from 1 and in characters; 0 where it is not about a place in a text. */
    uint32_t line;
    uint32_t column;
    /* What is wrong: of a text with the line itself, else one sentence. */
    const char *message;
} planish_error;

/* ---- Modules ----------------------------------------------------------------------------------------------- */

/* Makes a module without functions. */
planish_status planish_module_new(planish_module **module);

/* Gives a module back. */
void planish_module_free(planish_module *module);

/* Why a function that was given the module did not do what it was asked for, the last time: a text that is there until
   the next call for the module. Empty without a module. */
const char *planish_module_error(const planish_module *module);

/* One of the things that were wrong with the text, the function or the module that was read, finished, verified or
   optimized last; PLANISH_END behind the last. It is there until the next of these. */
planish_status planish_module_error_at(const planish_module *module, size_t index, planish_error *error);

/* Reads text of a length into an empty module; `name` is the file of which messages speak. */
planish_status planish_module_read(planish_module *module, const char *name, const char *text, size_t length);

/* Says whether the functions are valid and fit each other; all of them have to be finished. */
planish_status planish_module_verify(planish_module *module);

/* The module as text, which reads back as the same module; a zero stands behind it. All functions have to be finished. */
planish_status planish_module_text(planish_module *module, const char **text, size_t *length);

/* One more than the largest number of a function. Functions are numbered from 0, in the order of the text or in that in
   which they were begun; the text has them in the order in which they were finished. */
planish_status planish_module_functions(planish_module *module, size_t *count);

/* The number of the function of a name. */
planish_status planish_function_find(planish_module *module, const char *name, uint32_t *function);

/* The name of a function. */
planish_status planish_function_name(planish_module *module, uint32_t function, const char **name);

/* The types of a function. */
typedef struct planish_signature {
    const uint32_t *params;
    size_t param_count;
    const uint32_t *results;
    size_t result_count;
} planish_signature;

/* The types of the parameters and results of a function. */
planish_status planish_function_signature(planish_module *module, uint32_t function, planish_signature *signature);

/* How many operations a function has; the ends of blocks are none. */
planish_status planish_function_size(planish_module *module, uint32_t function, size_t *operations);

/* ---- Words: what operations name --------------------------------------------------------------------------- */

/* What a function outside of the module does besides computing from its arguments. */
enum {
    /* It only computes: a call whose result nobody needs is not made, and equal calls are made once. */
    PLANISH_EFFECT_ELIDABLE = 1,
    /* It looks at memory that the module sees. */
    PLANISH_EFFECT_READS = 2,
    /* It changes memory that the module sees. */
    PLANISH_EFFECT_WRITES = 4,
    /* It may throw. */
    PLANISH_EFFECT_RAISES = 8,
    /* Nothing is known of it. */
    PLANISH_EFFECT_UNKNOWN = 14
};

/* Declares a function that the module does not have; `effects` are PLANISH_EFFECT_... put together. One without any effect
   that is not elidable is called all the same, as a print is. Declared again as the same, a word is the same. */
planish_status planish_callee_word(planish_module *module, const char *name, uint32_t effects, uint32_t *word);

/* What a location is besides its type. */
enum {
    /* It does not change once its object is filled in. */
    PLANISH_LOCATION_IMMUTABLE = 1,
    /* Of fewer bits than the type, the sign is extended. */
    PLANISH_LOCATION_SIGNED = 2,
    /* It is memory outside of objects, which others may change. */
    PLANISH_LOCATION_RAW = 4
};

/* Declares a field, the items of an array, or memory: values of a type, of which `bits` are stored, 0 for all of them;
   `flags` are PLANISH_LOCATION_... put together. Locations of different alias classes never overlap. */
planish_status planish_location_word(planish_module *module, const char *name, uint32_t ty, uint32_t bits, uint32_t flags, uint32_t alias_class, uint32_t *word);

/* Declares a class of objects. */
planish_status planish_class_word(planish_module *module, const char *name, uint32_t *word);

/* Declares a constant table of integers or floats, by the encodings of its `count` items, from 1 to 2^24. `lookup` gives one
   of them, by a number without sign; behind the last item is the last item again. */
planish_status planish_table_word(planish_module *module, const char *name, uint32_t ty, const uint64_t *items, size_t count, uint32_t *word);

/* Declares anything else that an operation names. */
planish_status planish_other_word(planish_module *module, const char *name, uint32_t *word);

/* The number of the word of a name, such as one that a text declares. */
planish_status planish_word_find(planish_module *module, const char *name, uint32_t *word);

/* The name of a word. */
planish_status planish_word_name(planish_module *module, uint32_t word, const char **name);

/* ---- Functions under construction -------------------------------------------------------------------------- */

/* Begins a function, which is at hand then, with its entry: block 0, which has the parameters of the function and to which
   operations go. Their values go to `values`. It can be called by others at once. */
planish_status planish_function_new(planish_module *module, const char *name, const uint32_t *params, size_t param_count, const uint32_t *results, size_t result_count, uint32_t *values, uint32_t *function);

/* Goes on with a function that is not finished, where that was left. Values and blocks are those of the function at hand. */
planish_status planish_function_resume(planish_module *module, uint32_t function);

/* Finishes the function at hand; none is at hand then. One that is not valid (PLANISH_INVALID) stays at hand: a value that
   is used where it is not defined, a block without an end. */
planish_status planish_function_finish(planish_module *module);

/* Gives up the function at hand. Calls of it are calls of a function outside of which nothing is known. */
planish_status planish_function_give_up(planish_module *module);

/* Appends a block with parameters of some types, whose values go to `values`; without a name it may be null. Operations
   still go where they went. */
planish_status planish_block_new(planish_module *module, const char *name, const uint32_t *params, size_t count, uint32_t *values, uint32_t *block);

/* Operations go to the end of this block from here on. */
planish_status planish_block_at(planish_module *module, uint32_t block);

/* Operations that are built from here on stand at this line of your source, of which remarks and errors speak; 0 for none. */
planish_status planish_line_at(planish_module *module, uint32_t line);

/* An integer constant of a type, in which it has to fit as a signed or an unsigned number. */
planish_status planish_const_int(planish_module *module, uint32_t ty, int64_t number, uint32_t *value);

/* A float constant of a type, to which it is rounded. */
planish_status planish_const_real(planish_module *module, uint32_t ty, double number, uint32_t *value);

/* The null reference. */
planish_status planish_const_null(planish_module *module, uint32_t *value);

/* A reference to a function of the module, which `call_ref` may call. */
planish_status planish_const_function(planish_module *module, uint32_t function, uint32_t *value);

/* The type of a value. */
planish_status planish_value_type(planish_module *module, uint32_t value, uint32_t *ty);

/* ---- Operations -------------------------------------------------------------------------------------------- */

/* Builds an operation with one result whose type its operands tell; a comparison gives a word of 64 bits. */
planish_status planish_build_op(planish_module *module, uint32_t op, const uint32_t *operands, size_t count, uint32_t *value);

/* Builds an operation with one result of a type that is named: a conversion, or a comparison of another width. */
planish_status planish_build_typed(planish_module *module, uint32_t op, const uint32_t *operands, size_t count, uint32_t ty, uint32_t *value);

/* Builds a call of a function of the module, finished or not. */
planish_status planish_build_call(planish_module *module, uint32_t function, const uint32_t *arguments, size_t count, uint32_t *results, size_t result_count);

/* Kinds of exits. */
enum {
    /* The function is left with `number` and the values of `live`: a guard that fails. */
    PLANISH_EXIT_LEAVE = 0,
    /* The exception goes out of the function. */
    PLANISH_EXIT_UNWIND = 1,
    /* The exception goes to the first handler that takes it. */
    PLANISH_EXIT_HANDLERS = 2
};

/* Who takes an exception: a block whose first parameter is the exception, and the others are the values of `live`. */
typedef struct planish_handler {
    /* The class of exceptions that it takes; PLANISH_NONE takes all. */
    uint32_t word;
    uint32_t block;
} planish_handler;

/* Where an operation goes when it leaves. */
typedef struct planish_exit {
    /* PLANISH_EXIT_... */
    uint32_t kind;
    uint32_t number;
    /* The values that the other side gets. */
    const uint32_t *live;
    size_t live_count;
    const planish_handler *handlers;
    size_t handler_count;
} planish_exit;

/* An operation to be built. */
typedef struct planish_operation {
    uint32_t op;
    /* What it names: a callee, a location, a class; PLANISH_NONE for nothing. */
    uint32_t word;
    const uint32_t *operands;
    size_t operand_count;
    /* The types of all results; none where the operands tell them, or the location that is loaded. */
    const uint32_t *types;
    size_t type_count;
    /* Where it goes when it leaves, or null: an exception then goes out of the function, a fault is a trap. */
    const planish_exit *exit;
} planish_operation;

/* Builds any operation. Its results are as many as you say; they go to `results`. */
planish_status planish_build(planish_module *module, const planish_operation *operation, uint32_t *results, size_t count);

/* ---- Ends of blocks ---------------------------------------------------------------------------------------- */

/* A block, and arguments for its parameters. */
typedef struct planish_target {
    uint32_t block;
    const uint32_t *arguments;
    size_t count;
} planish_target;

/* Ends the block with a jump. */
planish_status planish_build_jump(planish_module *module, uint32_t block, const uint32_t *arguments, size_t count);

/* Ends the block: where the condition, an integer, is not zero, `then` is next, else `other`. */
planish_status planish_build_branch(planish_module *module, uint32_t condition, const planish_target *then, const planish_target *other);

/* Ends the block: the target of the key that is equal is next, else `other`. Keys and targets are `count`. */
planish_status planish_build_switch(planish_module *module, uint32_t on, const int64_t *keys, const planish_target *targets, size_t count, const planish_target *other);

/* Ends the block with a return. */
planish_status planish_build_return(planish_module *module, const uint32_t *results, size_t count);

/* Ends the block by throwing a reference, to the handlers of an exit or, where that is null, out of the function. */
planish_status planish_build_throw(planish_module *module, uint32_t value, const planish_exit *exit);

/* Ends the block where control never comes. */
planish_status planish_build_unreachable(planish_module *module);

/* ---- Optimizing -------------------------------------------------------------------------------------------- */

/* Makes an optimizer with the passes of `planish opt`, all of the rule book, and no limits. */
planish_status planish_optimizer_new(planish_optimizer **optimizer);

/* Gives an optimizer back. */
void planish_optimizer_free(planish_optimizer *optimizer);

/* Why a function that was given the optimizer did not do what it was asked for, the last time: a text that is there until
   the next call for the optimizer. Empty without an optimizer. */
const char *planish_optimizer_error(const planish_optimizer *optimizer);

/* Lets an optimizer run these passes, by name and divided by colons (docs/passes.md); null stands for the default ones. */
planish_status planish_optimizer_passes(planish_optimizer *optimizer, const char *passes);

/* Lets an optimizer try rules of your own before those of the book (rules/README.md), instead of those before; a text
   without rules takes them away. Each is proved with the built-in solver, which may take seconds for a hard one and uses
   threads of its own meanwhile; one that is marked SORRY_Z3 is believed. With `trusted` nothing is proved. What the last run
   did is forgotten. */
planish_status planish_optimizer_rules(planish_optimizer *optimizer, const char *name, const char *text, size_t length, bool trusted);

/* Lets an optimizer make so many rewrites in a run, the first ones: the one that breaks something is found by bisection.
   UINT64_MAX for as many as there are. */
planish_status planish_optimizer_fuel(planish_optimizer *optimizer, uint64_t rewrites);

/* Says whether an optimizer keeps a remark about each rewrite, from the next run on. */
planish_status planish_optimizer_keep_remarks(planish_optimizer *optimizer, bool keep);

/* Optimizes a module, whose functions are all finished; calls between them are inlined where that pays. A module that is
   not valid is refused: the errors are the module's, and the optimizer says them too. */
planish_status planish_optimize(planish_optimizer *optimizer, planish_module *module);

/* How many rewrites the last run made. */
planish_status planish_optimizer_rewrites(planish_optimizer *optimizer, uint64_t *rewrites);

/* How many of them a pass made, by its name. */
planish_status planish_optimizer_pass_count(planish_optimizer *optimizer, const char *pass, uint64_t *rewrites);

/* How often a rule fired in the last run, by its name: one of yours, or else of the book. */
planish_status planish_optimizer_rule_count(planish_optimizer *optimizer, const char *rule, uint64_t *fired);

/* One rewrite. */
typedef struct planish_remark {
    const char *function;
    /* The line at which the operation stood: of the text, or of planish_line_at; 0 for none. */
    uint32_t line;
    /* The operation that was rewritten, or PLANISH_NONE. */
    uint32_t op;
    /* The pass that did it. */
    const char *pass;
    /* The rule that says why, or null. */
    const char *rule;
    /* What became of what, for people; values are called by their place in the function, `v0`, `v1`, ... */
    const char *what;
} planish_remark;

/* A remark about a rewrite of the last run, in order; PLANISH_END behind the last. It is there until the next run, or
   other rules. Refused where none are kept. */
planish_status planish_optimizer_remark(planish_optimizer *optimizer, size_t index, planish_remark *remark);

/* ---- Running ----------------------------------------------------------------------------------------------- */

/* A value of a run. */
typedef struct planish_datum {
    /* PLANISH_TYPE_...; PLANISH_NONE of a result that means nothing, such as a conversion that is out of range. */
    uint32_t ty;
    /* An integer with its sign, but a bit is 0 or 1; of a reference 0 for null and 1 for anything else. */
    int64_t integer;
    /* A float. */
    double real;
} planish_datum;

/* How a run ended. */
enum {
    /* With results. */
    PLANISH_OUTCOME_RETURN = 0,
    /* Through exit number `exit`, with the values that it keeps. */
    PLANISH_OUTCOME_LEAVE = 1,
    /* With an exception, `reason`, and the values that its exit keeps. */
    PLANISH_OUTCOME_THROW = 2,
    /* With a fault that nobody takes, `reason`: a division by zero. */
    PLANISH_OUTCOME_TRAP = 3,
    /* With something that has no meaning, `reason`. */
    PLANISH_OUTCOME_UNDEFINED = 4,
    /* Not yet: fuel or room for open calls ran out. */
    PLANISH_OUTCOME_FUEL = 5
};

/* How a run ended. Its pointers lead to something until the next run, of the module or of the code. */
typedef struct planish_outcome {
    /* PLANISH_OUTCOME_... */
    uint32_t end;
    uint32_t exit;
    const planish_datum *results;
    size_t count;
    /* For people, or empty. */
    const char *reason;
    /* How many operations were executed; machine code does not count them. */
    uint64_t operations;
} planish_outcome;

/* Answers a call of a function that the module does not have: `results` have their types, and get what it gives (integers are
   cut to their width, references are null). With false the call gives numbers that depend on the arguments alone. */
typedef bool (*planish_host)(void *data, const char *callee, const planish_datum *arguments, size_t count, planish_datum *results, size_t result_count);

/* Runs a function in the interpreter, which defines what operations mean, for at most `fuel` operations and ends of blocks.
   Arguments are of the types of the parameters; a reference can only be null. `host` may be null; it gets `data`. */
planish_status planish_run(planish_module *module, uint32_t function, const planish_datum *arguments, size_t count, uint64_t fuel, planish_host host, void *data, planish_outcome *outcome);

/* ---- Machine code ------------------------------------------------------------------------------------------ */

/* Compiles a function and all that it calls. PLANISH_UNSUPPORTED for what has no machine code (objects, calls of functions
   that the module does not have), on machines without a code generator, and of a library that was built without one. */
planish_status planish_compile(planish_module *module, uint32_t function, planish_code **code);

/* Runs machine code; `fuel` is for rounds of loops and for calls. */
planish_status planish_code_run(planish_code *code, const planish_datum *arguments, size_t count, uint64_t fuel, planish_outcome *outcome);

/* How many bytes of machine code there are. */
planish_status planish_code_size(planish_code *code, size_t *bytes);

/* Why a function that was given the code did not do what it was asked for, the last time: a text that is there until the
   next call for the code. Empty without code. */
const char *planish_code_error(const planish_code *code);

/* Gives machine code back. */
void planish_code_free(planish_code *code);

#ifdef __cplusplus
}
#endif

#endif
