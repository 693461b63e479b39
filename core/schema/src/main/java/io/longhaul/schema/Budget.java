// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.SchemaException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The limit of steps of one check. A peer can choose a schema and a value for which a check never ends, so that each
 * part of a check takes steps from the budget: each keyword, each access of a pattern to a character, each problem. A
 * step takes some nanoseconds. Used by the checking thread only.
 */
final class Budget {

    static final long STEPS = 1_000_000;
    static final long STEPS_PER_CHARACTER = 200;
    static final long MOST = 200_000_000;
    static final long COMPILING = 10_000_000;
    static final int DEPTH = 1_000;

    /** The number of steps between two checks for an interrupt of the thread. */
    private static final long LOOK = 1 << 16;

    private static final ThreadLocal<@Nullable Budget> CURRENT = new ThreadLocal<>();

    private final long limit;
    private long used;
    private long nextLook = LOOK;
    private int depth;

    private Budget(long limit) {
        this.limit = limit;
    }

    /** The budget for compiling a schema. */
    static Budget ofCompiling() {
        return new Budget(COMPILING);
    }

    /** The budget for checking a value; it grows with the length of the value. */
    static Budget of(JsonNode value) {
        return new Budget(Math.min(MOST, STEPS + STEPS_PER_CHARACTER * characters(value)));
    }

    /** The budget of the check that this thread runs. */
    static Budget current() {
        Budget current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("no check is going on");
        }
        return current;
    }

    /**
     * Runs a check that takes its steps from this budget.
     *
     * @throws SpentException where the check takes too many steps, or its thread is interrupted
     */
    <T> T spendOn(Supplier<T> check) {
        Budget outer = CURRENT.get();
        CURRENT.set(this);
        try {
            return check.get();
        } catch (StackOverflowError e) {
            throw new SpentException("the stack was too short");
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** Takes {@code steps}. */
    void spend(long steps) {
        used += steps;
        if (used > limit) {
            throw new SpentException("it took more than " + limit + " steps");
        }
        if (used > nextLook) {
            nextLook = used + LOOK;
            if (Thread.currentThread().isInterrupted()) {
                throw new SpentException("its caller has gone");
            }
        }
    }

    /** Takes steps and goes one keyword deeper; {@link #leave} must follow. */
    void enter(long steps) {
        spend(steps);
        if (++depth > DEPTH) {
            throw new SpentException("it went deeper than " + DEPTH + " keywords");
        }
    }

    void leave() {
        depth--;
    }

    long depth() {
        return depth;
    }

    /** The number of steps taken so far. */
    long used() {
        return used;
    }

    /** The approximate length of a value as JSON, never too large. */
    static long characters(JsonNode value) {
        long sum = 2;
        if (value.isString()) {
            sum += value.stringValue().length();
        } else if (value.isArray()) {
            for (JsonNode item : value) {
                sum += characters(item);
            }
        } else if (value.isObject()) {
            for (var property : value.properties()) {
                sum += property.getKey().length() + characters(property.getValue());
            }
        }
        return sum;
    }

    /** Thrown when a check is aborted. A validator passes exceptions of this superclass on unchanged. */
    static final class SpentException extends SchemaException {
        private static final long serialVersionUID = 1L;

        SpentException(String why) {
            super(why);
        }
    }
}
