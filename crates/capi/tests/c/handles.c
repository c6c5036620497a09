/*
 * What becomes of handles and of memory: in any order, refused, twice, and where there is none left.
 *
 *   handles            prints nothing where all is well
 *   handles MEGABYTES  records without end in so much memory, and is aborted
 *
 * Carried out by scripts/check-c, with sanitizers and with valgrind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "planish_trace.h"

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

static planish_recorder *recorder_new(void) {
    planish_recorder *recorder = NULL;
    CHECK(planish_recorder_new(NULL, &recorder) == PLANISH_OK && recorder != NULL);
    return recorder;
}

static uint32_t op(const char *name) {
    uint32_t number;
    CHECK(planish_op(name, &number) == PLANISH_OK);
    return number;
}

/* A loop that adds up, with a box that only its guard needs. */
static planish_trace *record(planish_recorder *recorder, uint32_t box_class, uint32_t field) {
    const uint32_t types[] = {PLANISH_TYPE_I64, PLANISH_TYPE_I64};
    uint32_t inputs[2], state[2], sum, box;
    CHECK(planish_begin(recorder, "sum", types, 2, inputs) == PLANISH_OK);
    CHECK(planish_begin_loop(recorder, inputs, 2, state) == PLANISH_OK);
    CHECK(planish_record(recorder, op("add"), state, 2, &sum) == PLANISH_OK);
    CHECK(planish_new_object(recorder, box_class, &box) == PLANISH_OK);
    CHECK(planish_set_field(recorder, field, box, sum) == PLANISH_OK);
    CHECK(planish_record_guard(recorder, op("guard_true"), &sum, 1, 7, &box, 1) == PLANISH_OK);
    planish_trace *trace = NULL;
    CHECK(planish_close_loop(recorder, NULL, 2, &trace) == PLANISH_NULL && trace == NULL);
    CHECK(strcmp(planish_recorder_error(recorder), "`state` is null") == 0);
    const uint32_t next[] = {sum, state[1]};
    CHECK(planish_close_loop(recorder, next, 2, &trace) == PLANISH_OK && trace != NULL);
    return trace;
}

/* Reads all that a trace shows. */
static size_t walk(planish_trace *trace) {
    planish_cursor cursor = {0, 0};
    planish_step step;
    size_t sum = 0;
    while (planish_trace_step(trace, &cursor, &step) == PLANISH_OK) {
        for (size_t at = 0; at < step.operands.count; at++) sum += step.operands.items[at];
        for (size_t at = 0; at < step.results.count; at++) sum += step.results.items[at];
        for (size_t at = 0; at < step.live.count; at++) sum += step.live.items[at];
        for (size_t index = 0; index <= step.recipe_steps; index++) {
            planish_recipe_step made;
            planish_status status = planish_trace_recipe(trace, index, &made);
            CHECK(status == (index < step.recipe_steps ? PLANISH_OK : PLANISH_END));
            for (size_t at = 0; status == PLANISH_OK && at < made.operands.count; at++) {
                sum += made.operands.items[at].position;
            }
        }
        planish_slots state;
        CHECK(planish_trace_state(trace, &state) == PLANISH_OK);
        for (size_t at = 0; at < state.count; at++) sum += state.items[at].position;
    }
    return sum;
}

static void in_any_order(void) {
    planish_recorder *recorder = recorder_new(), *other = recorder_new();
    uint32_t box_class, field;
    CHECK(planish_class(recorder, "Box", &box_class) == PLANISH_OK);
    CHECK(planish_field(recorder, "Box.value", PLANISH_TYPE_I64, false, &field) == PLANISH_OK);
    planish_trace *first = record(recorder, box_class, field), *second = record(recorder, box_class, field);
    size_t sum = walk(first);
    CHECK(sum > 0 && walk(second) == sum);

    /* Refused, it is still there. */
    CHECK(planish_recycle(NULL, first) == PLANISH_NULL);
    CHECK(planish_recycle(recorder, NULL) == PLANISH_NULL);
    CHECK(walk(first) == sum);

    /* The memory of one recorder's trace for the other, twice. */
    CHECK(planish_recycle(other, first) == PLANISH_OK);
    CHECK(planish_recycle(other, second) == PLANISH_OK);

    /* Nothing of an older trace is left in memory that is used again. */
    size_t length = 1;
    uint32_t value = 0, zero[] = {0, 0};
    CHECK(planish_length(other, &length) == PLANISH_OK && length == 0);
    CHECK(planish_record(other, op("add"), zero, 2, &value) == PLANISH_REFUSED && value == 0);

    /* A trace lives longer than its recorder, and a trace that was begun goes with it. */
    planish_trace *third = record(recorder, box_class, field);
    const uint32_t type = PLANISH_TYPE_I64;
    CHECK(planish_begin(recorder, "given up", &type, 1, &value) == PLANISH_OK);
    planish_recorder_free(recorder);
    CHECK(walk(third) == sum);
    planish_trace_free(third);
    planish_trace_free(NULL);
    planish_recorder_free(NULL);
    planish_recorder_free(other);
}

/* Whatever numbers stand in a cursor, a step is of the trace or there is none. */
static void from_anywhere(void) {
    planish_recorder *recorder = recorder_new();
    uint32_t box_class, field;
    CHECK(planish_class(recorder, "Box", &box_class) == PLANISH_OK);
    CHECK(planish_field(recorder, "Box.value", PLANISH_TYPE_I64, false, &field) == PLANISH_OK);
    planish_trace *trace = record(recorder, box_class, field);
    const uint32_t numbers[] = {0, 1, 2, 3, 1000, UINT32_MAX - 1, UINT32_MAX};
    const size_t count = sizeof numbers / sizeof *numbers;
    for (size_t block = 0; block < count; block++) {
        for (size_t position = 0; position < count; position++) {
            planish_cursor cursor = {numbers[block], numbers[position]};
            planish_step step;
            planish_status status = planish_trace_step(trace, &cursor, &step);
            CHECK(status == PLANISH_OK || status == PLANISH_END);
        }
    }
    for (size_t index = 0; index < count; index++) {
        planish_operand is;
        planish_status status = planish_trace_operand(recorder, trace, numbers[index], &is);
        CHECK(status == (numbers[index] < 4 ? PLANISH_OK : PLANISH_NO_SUCH_VALUE));
    }
    planish_trace_free(trace);
    planish_recorder_free(recorder);
}

static void without_memory(rlim_t megabytes) {
    struct rlimit limit = {megabytes << 20, megabytes << 20};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    planish_recorder *recorder = recorder_new();
    CHECK(planish_recorder_limit(recorder, 0) == PLANISH_OK);
    const uint32_t types[] = {PLANISH_TYPE_I64, PLANISH_TYPE_I64};
    uint32_t values[2];
    CHECK(planish_begin(recorder, "endless", types, 2, values) == PLANISH_OK);
    for (;;) CHECK(planish_record(recorder, op("add"), values, 2, &values[0]) == PLANISH_OK);
}

int main(int count, char **arguments) {
    if (count > 1) without_memory((rlim_t)atol(arguments[1]));
    in_any_order();
    from_anywhere();
    return 0;
}
