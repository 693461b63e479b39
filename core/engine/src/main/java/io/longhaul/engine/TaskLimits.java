// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.task.Retention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The limits of one engine; {@code docs/LIMITS.md} lists all limits. */
public final class TaskLimits {

    private static final Duration BRIEF = Duration.ofMinutes(1);
    private static final Duration USUAL = Duration.ofDays(1);

    /** The defaults. */
    public static final TaskLimits DEFAULT = new TaskLimits(new Builder());

    private final int livePerOwner;
    private final int queuedPerOwner;
    private final int running;
    private final int inputsPerTask;
    private final int childrenPerTask;
    private final int childDepth;
    private final int crashAttempts;
    private final int pieceBytes;
    private final long outputBytes;
    private final Duration shortestRetention;
    private final Duration longestRetention;
    private final Duration defaultRetention;
    private final Duration answerTimeout;
    private final Duration progressInterval;
    private final Duration handBackGrace;
    private final Duration offerGrace;
    private final Duration nodeLostAfter;

    private TaskLimits(Builder b) {
        livePerOwner = b.livePerOwner;
        queuedPerOwner = b.queuedPerOwner;
        running = b.running;
        inputsPerTask = b.inputsPerTask;
        childrenPerTask = b.childrenPerTask;
        childDepth = b.childDepth;
        crashAttempts = b.crashAttempts;
        pieceBytes = b.pieceBytes;
        outputBytes = b.outputBytes;
        longestRetention = b.longestRetention;
        shortestRetention = b.shortestRetention == null ? shorter(BRIEF, longestRetention) : b.shortestRetention;
        defaultRetention = b.defaultRetention == null ? shorter(USUAL, longestRetention) : b.defaultRetention;
        answerTimeout = b.answerTimeout;
        progressInterval = b.progressInterval;
        handBackGrace = b.handBackGrace;
        offerGrace = b.offerGrace;
        nodeLostAfter = b.nodeLostAfter;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The maximum number of unfinished tasks of one owner, children included. Where an owner stands for many callers,
     * the limit holds for each share.
     */
    public int livePerOwner() {
        return livePerOwner;
    }

    /**
     * The maximum number of tasks of one owner that wait as submitted until one of the owner's live tasks ends. With 0
     * a task above {@link #livePerOwner} is refused.
     */
    public int queuedPerOwner() {
        return queuedPerOwner;
    }

    /** Tasks whose work runs at once on this node; a task that waits for an answer does not count. */
    public int running() {
        return running;
    }

    /** Questions that one task may ask in its life. */
    public int inputsPerTask() {
        return inputsPerTask;
    }

    /** Children that one task may call in its life. */
    public int childrenPerTask() {
        return childrenPerTask;
    }

    /** The levels of children below the task that a requestor has created: with 1, children have no children. */
    public int childDepth() {
        return childDepth;
    }

    /** Starts after a crash of the server, under the crash policy that restarts. */
    public int crashAttempts() {
        return crashAttempts;
    }

    /** The largest piece of partial output or log line, in bytes: each must fit in one message to a client. */
    public int pieceBytes() {
        return pieceBytes;
    }

    /** The partial output that one task may have in all, in bytes. */
    public long outputBytes() {
        return outputBytes;
    }

    /** A finished task is kept at least this long after its end, also where its caller asks for less. */
    public Duration shortestRetention() {
        return shortestRetention;
    }

    /** The longest retention for callers and authors of tools; a caller that asks for more gets this. */
    public Duration longestRetention() {
        return longestRetention;
    }

    /** How long a task is kept, from its creation and from its end, where its creation asks for no retention. */
    public Duration defaultRetention() {
        return defaultRetention;
    }

    /**
     * The retention that a caller gets for {@code asked}: between {@link #shortestRetention} and
     * {@link #longestRetention}.
     */
    public Duration held(Duration asked) {
        return shorter(asked.compareTo(shortestRetention) < 0 ? shortestRetention : asked, longestRetention);
    }

    /**
     * As {@link #held(Duration)}; {@link #shortestRetention} is counted from the end of the task, whatever the basis
     * is.
     */
    public Retention held(Retention asked) {
        return asked.basis() == Retention.Basis.CREATION
                ? Retention.fromCreation(shorter(asked.duration(), longestRetention))
                        .atLeast(shortestRetention)
                : new Retention(asked.basis(), held(asked.duration()), Duration.ZERO);
    }

    /** The retention of a task where neither its caller nor the author of its tool sets one. */
    public Retention unasked() {
        return Retention.fromCreation(defaultRetention).atLeast(defaultRetention);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** How long a question waits for its answer where its tool sets no timeout. */
    public Duration answerTimeout() {
        return answerTimeout;
    }

    /** The shortest interval between two writes of the progress of one task. */
    public Duration progressInterval() {
        return progressInterval;
    }

    /** How long a stopping server lets quick calls and the work of tasks end before it hands the tasks back. */
    public Duration handBackGrace() {
        return handBackGrace;
    }

    /**
     * How long after a start of the engine unfinished tasks wait for work that is not offered yet; then they fail as
     * interrupted.
     */
    public Duration offerGrace() {
        return offerGrace;
    }

    /**
     * How long other nodes leave a task to a node that is gone, where the work of the task goes on outside of that
     * server. After that the crash policy decides. For any other task the policy decides as soon as the node has no
     * lease.
     */
    public Duration nodeLostAfter() {
        return nodeLostAfter;
    }

    /** Sets single limits; the others keep their defaults. Not thread-safe. */
    public static final class Builder {
        private int livePerOwner = 100;
        private int queuedPerOwner = 0;
        private int running = 1_000;
        private int inputsPerTask = 32;
        private int childrenPerTask = 1_000;
        private int childDepth = 5;
        private int crashAttempts = 3;
        private int pieceBytes = 1 << 20;
        private long outputBytes = 16 << 20;
        private @Nullable Duration shortestRetention;
        private Duration longestRetention = Duration.ofDays(7);
        private @Nullable Duration defaultRetention;
        private Duration answerTimeout = Duration.ofDays(1);
        private Duration progressInterval = Duration.ofMillis(100);
        private Duration handBackGrace = Duration.ofMillis(1_500);
        private Duration offerGrace = Duration.ofMinutes(1);
        private Duration nodeLostAfter = Duration.ofMinutes(5);

        private Builder() {}

        public Builder livePerOwner(int tasks) {
            livePerOwner = tasks;
            return this;
        }

        public Builder queuedPerOwner(int tasks) {
            queuedPerOwner = tasks;
            return this;
        }

        public Builder running(int tasks) {
            running = tasks;
            return this;
        }

        public Builder inputsPerTask(int questions) {
            inputsPerTask = questions;
            return this;
        }

        public Builder childrenPerTask(int tasks) {
            childrenPerTask = tasks;
            return this;
        }

        public Builder childDepth(int levels) {
            childDepth = levels;
            return this;
        }

        public Builder crashAttempts(int starts) {
            crashAttempts = starts;
            return this;
        }

        public Builder pieceBytes(int bytes) {
            pieceBytes = bytes;
            return this;
        }

        public Builder outputBytes(long bytes) {
            outputBytes = bytes;
            return this;
        }

        public Builder shortestRetention(Duration duration) {
            shortestRetention = duration;
            return this;
        }

        public Builder longestRetention(Duration duration) {
            longestRetention = duration;
            return this;
        }

        public Builder defaultRetention(Duration duration) {
            defaultRetention = duration;
            return this;
        }

        public Builder answerTimeout(Duration duration) {
            answerTimeout = duration;
            return this;
        }

        public Builder progressInterval(Duration duration) {
            progressInterval = duration;
            return this;
        }

        public Builder handBackGrace(Duration duration) {
            handBackGrace = duration;
            return this;
        }

        public Builder offerGrace(Duration duration) {
            offerGrace = duration;
            return this;
        }

        public Builder nodeLostAfter(Duration duration) {
            nodeLostAfter = duration;
            return this;
        }

        /**
         * The limits.
         *
         * @throws IllegalArgumentException where a retention is negative, or longer than the longest, and where a limit
         *                                  lets no task run or no question wait
         */
        public TaskLimits build() {
            var limits = new TaskLimits(this);
            atLeast(1, "livePerOwner", livePerOwner);
            atLeast(0, "queuedPerOwner", queuedPerOwner);
            atLeast(1, "running", running);
            atLeast(0, "inputsPerTask", inputsPerTask);
            atLeast(0, "childrenPerTask", childrenPerTask);
            atLeast(0, "childDepth", childDepth);
            atLeast(0, "crashAttempts", crashAttempts);
            atLeast(1, "pieceBytes", pieceBytes);
            atLeast(0, "outputBytes", outputBytes);
            if (answerTimeout.isZero()) {
                throw new IllegalArgumentException("answerTimeout must be longer than zero");
            }
            notNegative("answerTimeout", answerTimeout);
            notNegative("progressInterval", progressInterval);
            notNegative("handBackGrace", handBackGrace);
            notNegative("offerGrace", offerGrace);
            notNegative("nodeLostAfter", nodeLostAfter);
            check("shortestRetention", limits.shortestRetention, limits.longestRetention);
            check("defaultRetention", limits.defaultRetention, limits.longestRetention);
            return limits;
        }

        private static void atLeast(int least, String name, long value) {
            if (value < least) {
                throw new IllegalArgumentException(name + " must be at least " + least + ", but is " + value);
            }
        }

        private static void notNegative(String name, Duration value) {
            if (value.isNegative()) {
                throw new IllegalArgumentException(name + " must not be negative, but is " + value);
            }
        }

        private static void check(String name, Duration retention, Duration longest) {
            if (retention.isNegative() || retention.compareTo(longest) > 0) {
                throw new IllegalArgumentException(name + " must be between zero and longestRetention (" + longest
                        + "), but is " + retention + ": change one of the two");
            }
        }
    }
}
