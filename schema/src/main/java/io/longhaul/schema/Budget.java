// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.SchemaException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The steps of one check. Schemas and values come from peers, which can make them for a check that never ends, so that
 * everything in a check takes its steps from here: each keyword, each look of a pattern at a character, each problem.
 * A step is worth some nanoseconds. Belongs to the thread that checks.
 */
final class Budget {

    static final long STEPS = 1_000_000;
    static final long STEPS_PER_CHARACTER = 200;
    static final long MOST = 200_000_000;
    static final long COMPILING = 10_000_000;
    static final int DEPTH = 1_000;

    /** As often as this, in steps, the thread looks whether it is interrupted. */
    private static final long LOOK = 1 << 16;

    private static final ThreadLocal<@Nullable Budget> CURRENT = new ThreadLocal<>();

    private final long limit;
    private long used;
    private long nextLook = LOOK;
    private int depth;

    private Budget(long limit) {
        this.limit = limit;
    }

    /** What a schema may take to be compiled. */
    static Budget ofCompiling() {
        return new Budget(COMPILING);
    }

    /** What a value may take to be checked: the longer it is, the more. */
    static Budget of(JsonNode value) {
        return new Budget(Math.min(MOST, STEPS + STEPS_PER_CHARACTER * characters(value)));
    }

    /** The budget of the check that this thread is in. */
    static Budget current() {
        Budget current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("no check is going on");
        }
        return current;
    }

    /**
     * Runs a check that takes its steps from here.
     *
     * @throws SpentException where it takes too many, or its thread is interrupted
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

    /** Goes one keyword deeper; {@link #leave} is to follow. */
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

    /** Steps taken so far. */
    long used() {
        return used;
    }

    /** The length of a value as JSON, or a little less. */
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

    /** A check is given up. A validator passes exceptions of this kind on as they are. */
    static final class SpentException extends SchemaException {
        private static final long serialVersionUID = 1L;

        SpentException(String why) {
            super(why);
        }
    }
}
