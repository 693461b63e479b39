package io.longhaul.engine;

import java.time.Duration;

/**
 * What bounds the tasks of one engine; {@code docs/LIMITS.md} lists them all.
 */
public final class TaskLimits {

    /** The defaults. */
    public static final TaskLimits DEFAULT = new TaskLimits(new Builder());

    private final int livePerOwner;
    private final int running;
    private final int inputsPerTask;
    private final int crashAttempts;
    private final int pieceBytes;
    private final long outputBytes;
    private final Duration longestRetention;
    private final Duration defaultRetention;
    private final Duration answerPatience;
    private final Duration progressInterval;
    private final Duration handBackGrace;
    private final Duration offerGrace;

    private TaskLimits(Builder b) {
        livePerOwner = b.livePerOwner;
        running = b.running;
        inputsPerTask = b.inputsPerTask;
        crashAttempts = b.crashAttempts;
        pieceBytes = b.pieceBytes;
        outputBytes = b.outputBytes;
        longestRetention = b.longestRetention;
        defaultRetention = b.defaultRetention;
        answerPatience = b.answerPatience;
        progressInterval = b.progressInterval;
        handBackGrace = b.handBackGrace;
        offerGrace = b.offerGrace;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Tasks of one owner that are not finished. */
    public int livePerOwner() {
        return livePerOwner;
    }

    /** Tasks whose work runs at once on this node; one that waits for an answer does not count. */
    public int running() {
        return running;
    }

    /** Questions that one task may ask in its life. */
    public int inputsPerTask() {
        return inputsPerTask;
    }

    /** Starts after a crash of the server, under the crash policy that restarts. */
    public int crashAttempts() {
        return crashAttempts;
    }

    /** The largest piece of partial output, and log line, in bytes: a client must be able to take it in one message. */
    public int pieceBytes() {
        return pieceBytes;
    }

    /** The partial output that one task may have in all, in bytes. */
    public long outputBytes() {
        return outputBytes;
    }

    /** A longer retention than this is cut to it. */
    public Duration longestRetention() {
        return longestRetention;
    }

    /** What a task gets where nobody asked for a retention. */
    public Duration defaultRetention() {
        return defaultRetention;
    }

    /** How long a question waits for its answer where its tool says nothing. */
    public Duration answerPatience() {
        return answerPatience;
    }

    /** Progress of one task is stored no more often than this. */
    public Duration progressInterval() {
        return progressInterval;
    }

    /** How long a stopping engine waits for work to end by itself before it hands the tasks back. */
    public Duration handBackGrace() {
        return handBackGrace;
    }

    /** How long after a start its tasks wait for work that is not offered yet; then they fail as interrupted. */
    public Duration offerGrace() {
        return offerGrace;
    }

    /** Sets single limits; the others keep their defaults. Not thread-safe. */
    public static final class Builder {
        private int livePerOwner = 100;
        private int running = 1_000;
        private int inputsPerTask = 32;
        private int crashAttempts = 3;
        private int pieceBytes = 1 << 20;
        private long outputBytes = 16 << 20;
        private Duration longestRetention = Duration.ofDays(7);
        private Duration defaultRetention = Duration.ofDays(1);
        private Duration answerPatience = Duration.ofDays(1);
        private Duration progressInterval = Duration.ofMillis(100);
        private Duration handBackGrace = Duration.ofMillis(1_500);
        private Duration offerGrace = Duration.ofMinutes(1);

        private Builder() {}

        public Builder livePerOwner(int tasks) {
            livePerOwner = tasks;
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

        public Builder longestRetention(Duration duration) {
            longestRetention = duration;
            return this;
        }

        public Builder defaultRetention(Duration duration) {
            defaultRetention = duration;
            return this;
        }

        public Builder answerPatience(Duration duration) {
            answerPatience = duration;
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

        public TaskLimits build() {
            return new TaskLimits(this);
        }
    }
}
