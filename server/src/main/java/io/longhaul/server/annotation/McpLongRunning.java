// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes each call of a {@link McpTool} method a durable task. Durations are written as in ISO 8601, {@code PT2H30M},
 * or short: {@code 500ms}, {@code 90s}, {@code 30m}, {@code 2h}, {@code 7d}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpLongRunning {

    /** What becomes of its tasks when the server dies: {@code FAIL} or {@code RESTART}. */
    CrashPolicy onCrash() default CrashPolicy.FAIL;

    /** How long one task may run in all. Unsaid: without end. */
    String timeout() default "";

    /** How long a finished task is kept after its end where its caller does not say. Unsaid: as the server does. */
    String keepFor() default "";

    /** How many of its tasks run at once; the others wait. */
    int concurrency() default Integer.MAX_VALUE;

    /** Refuses callers that cannot take a task for an answer: plain clients, which most hosts are. */
    boolean taskOnly() default false;

    /** What a model may be told while the task runs. Unsaid: nothing. */
    String immediateResponse() default "";

    /**
     * The name of a method of the same class that computes what a model may be told at once. It takes the same
     * parameters as the tool, without a {@code TaskContext}, must be quick, and gives a {@code String}, a
     * {@code Content}, or a list of such. Unsaid: {@link #immediateResponse}.
     */
    String immediateResult() default "";

    /**
     * Answers every caller in a session part by part, with resume tokens, also those that did not announce that they
     * know of them.
     */
    boolean resumeAlways() default false;

    /** How long a resumed call waits for the next part. Unsaid: as the server does, 10 s. */
    String resumeWait() default "";

    /** How long a resume token is good for, a week at most. Unsaid: as the server does, a week. */
    String resumeFor() default "";

    /** How long a call is held open in a host that knows no tasks. Unsaid: as long as the host waits, or 45 s. */
    String hold() default "";

    /** What becomes of a task whose host gives up the call because it takes too long. */
    WhenAbandoned whenAbandoned() default WhenAbandoned.KEEP;

    /** What the same call means again while no client has received the result of the first one. */
    WhenRepeated whenRepeated() default WhenRepeated.JOIN;

    /** Questions to be answered before the work begins. Unsaid: none. */
    McpElicitFirst[] elicitFirst() default {};
}
