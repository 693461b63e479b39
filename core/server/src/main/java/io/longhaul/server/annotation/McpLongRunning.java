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

    /** What happens to tasks of this tool after the server died: {@code FAIL} or {@code RESTART}. */
    CrashPolicy onCrash() default CrashPolicy.FAIL;

    /** How long one task may run in all. By default without limit. */
    String timeout() default "";

    /** How long the method may say nothing, until its task ends as by a timeout. By default without limit. */
    String idle() default "";

    /**
     * How long a finished task is kept after its end where its caller does not ask for a retention. By default as the
     * server sets.
     */
    String keepFor() default "";

    /**
     * How long a task waits for an answer until the task is suspended: its method is interrupted, and runs again with
     * the answer, as after a crash. Needs {@code onCrash = RESTART}. By default no task is suspended.
     */
    String suspendAfter() default "";

    /** How often the method runs again for the same task after it has thrown. By default, the task fails. */
    int retries() default 0;

    /** The pause before the first of the {@link #retries}; each later pause is twice as long. By default none. */
    String backoff() default "";

    /**
     * The exceptions after which the method runs again. By default any, except {@code ToolException},
     * {@code McpException} and {@code ChildFailedException}, which are for the caller.
     */
    Class<? extends Exception>[] retryOn() default {};

    /**
     * The longest text of a result that a caller gets at once, in bytes; of a longer one the caller gets both ends, and
     * a link to the whole. By default the whole.
     */
    int resultText() default Integer.MAX_VALUE;

    /** How many tasks of this tool run at once; the others wait. */
    int concurrency() default Integer.MAX_VALUE;

    /** Which tool gets a free slot first where tasks of several tools wait: that with the greatest number. */
    int priority() default 0;

    /** How many tasks of this tool begin in a second, minute or hour, such as {@code 10/m}. By default no limit. */
    String rate() default "";

    /** Refuses callers that cannot take a task for an answer: plain clients, which most hosts are. */
    boolean taskOnly() default false;

    /** A text for the model while the task runs. By default none. */
    String immediateResponse() default "";

    /**
     * The name of a method of the same class that computes an immediate response for the model. That method takes the
     * parameters of the tool without a {@code TaskContext}, must be quick, and returns a {@code String}, a
     * {@code Content}, or a list of {@code Content}. By default {@link #immediateResponse} is used.
     */
    String immediateResult() default "";

    /**
     * Answers every caller in a session part by part, with resume tokens, also callers that did not declare support for
     * them.
     */
    boolean resumeAlways() default false;

    /** How long a resumed call waits for the next part. By default as the server sets, 10 s. */
    String resumeWait() default "";

    /** How long a resume token is valid, a week at most. By default as the server sets, a week. */
    String resumeFor() default "";

    /** How long a call is held open in a host that knows no tasks. By default as long as the host waits, or 45 s. */
    String hold() default "";

    /** Names that the tool had before: the server takes up their unfinished tasks. */
    String[] formerly() default {};

    /** What happens to a task whose host gives up the call because the call takes too long. */
    WhenAbandoned whenAbandoned() default WhenAbandoned.KEEP;

    /** What a repeated call means while no client has received the result of the first call. */
    WhenRepeated whenRepeated() default WhenRepeated.JOIN;

    /** Questions to be answered before the work begins. By default none. */
    McpElicitFirst[] elicitFirst() default {};
}
