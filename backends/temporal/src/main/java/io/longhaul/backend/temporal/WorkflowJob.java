// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.task.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which workflow is the work of a tool, where it runs, and how it is followed and cancelled. Immutable. */
public final class WorkflowJob {

    /** Where Temporal is looked for where nothing else is said. */
    public static final String DEFAULT_ADDRESS = "127.0.0.1:7233";

    /** The namespace where nothing else is said. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** What the ids of workflows begin with where nothing else is said. */
    public static final String DEFAULT_PREFIX = "longhaul-";

    /** How long Temporal is tried that is out of reach, where nothing else is said. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

    final String type;
    final String taskQueue;
    final TemporalServer server;
    final @Nullable Duration terminateAfter;
    final @Nullable Duration every;
    final Duration patience;
    final @Nullable String ui;
    private final @Nullable String prefix;
    private final boolean isNamedByTask;

    private WorkflowJob(Builder b, String taskQueue) {
        type = b.type;
        this.taskQueue = taskQueue;
        server = new TemporalServer(b.address, b.namespace, b.encryption(), Optional.ofNullable(b.key));
        prefix = b.prefix;
        isNamedByTask = b.isNamedByTask;
        terminateAfter = b.terminateAfter;
        every = b.every;
        patience = b.patience;
        ui = b.ui;
    }

    /** The id of the workflow of a task. */
    String idFor(TaskId task) {
        return isNamedByTask
                ? (prefix == null ? "" : prefix) + task.value()
                : (prefix == null ? DEFAULT_PREFIX : prefix) + WorkflowHandle.digest(task);
    }

    /** Says all of a workflow. Methods throw {@link IllegalArgumentException} with a sentence that says why. */
    public static final class Builder {

        private final String type;
        private @Nullable String taskQueue;
        private String address = DEFAULT_ADDRESS;
        private String namespace = DEFAULT_NAMESPACE;
        private boolean encrypted;
        private @Nullable Path authority;
        private TemporalServer.@Nullable Identity identity;
        private @Nullable TemporalKey key;
        private @Nullable String prefix;
        private boolean isNamedByTask;
        private @Nullable Duration terminateAfter;
        private @Nullable Duration every;
        private Duration patience = DEFAULT_PATIENCE;
        private @Nullable String ui;

        Builder(String type) {
            this.type = named(type, "a workflow needs the name of its type");
        }

        /** The task queue that its workers poll; it has to be set. */
        public Builder taskQueue(String name) {
            taskQueue = named(name, "a task queue needs a name");
            return this;
        }

        /** The frontend of Temporal as {@code host:port}; {@link #DEFAULT_ADDRESS} unless set. */
        public Builder address(String hostAndPort) {
            if (!hostAndPort.matches("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):\\d{1,5}")) {
                throw new IllegalArgumentException("'" + hostAndPort + "' is no host and port");
            }
            address = hostAndPort;
            return this;
        }

        /** The namespace; {@link #DEFAULT_NAMESPACE} unless set. */
        public Builder namespace(String name) {
            namespace = named(name, "a namespace needs a name");
            return this;
        }

        /** Encrypts the connection. {@link #authority}, {@link #identity} and {@link #apiKey} do so too. */
        public Builder tls() {
            encrypted = true;
            return this;
        }

        /** Trusts the certificates of this authority (PEM), in place of those that Java trusts. */
        public Builder authority(Path certificates) {
            authority = certificates;
            return tls();
        }

        /** Shows this certificate to Temporal. */
        public Builder identity(Path certificate, Path privateKey) {
            identity = new TemporalServer.Identity(certificate, privateKey);
            return tls();
        }

        /** Sends this API key with each request. */
        public Builder apiKey(TemporalKey secret) {
            key = secret;
            return tls();
        }

        /**
         * What the id of each workflow begins with; {@link #DEFAULT_PREFIX} unless set. A digest of the id of the task
         * follows, or that id.
         */
        public Builder idPrefix(String text) {
            prefix = text;
            return this;
        }

        /**
         * Gives each workflow the id of its task, so that both have one name; a prefix stands before that only where it
         * is set. Whoever reads Temporal then has the ids of tasks, and those of callers without authorization are all
         * that protects their tasks.
         */
        public Builder idOfTask() {
            isNamedByTask = true;
            return this;
        }

        /**
         * Terminates a cancelled workflow that has not ended after this time; zero terminates it at once, and does not
         * ask it to cancel itself. Unless set a workflow is asked only.
         */
        public Builder terminateAfter(Duration grace) {
            if (grace.isNegative()) {
                throw new IllegalArgumentException("a time cannot be negative: " + grace);
            }
            terminateAfter = grace;
            return this;
        }

        /** The pause between two looks at what a workflow tells; unless set, half a second and then ever longer. */
        public Builder every(Duration pause) {
            every = positive(pause);
            return this;
        }

        /** How long Temporal is tried that is out of reach, before a task has failed; 10 min unless set. */
        public Builder patience(Duration longest) {
            patience = positive(longest);
            return this;
        }

        /** The address of Temporal's web pages, for a link in the history of each task. */
        public Builder ui(String url) {
            if (!url.matches("https?://[^\\s?#]+")) {
                throw new IllegalArgumentException("'" + url + "' is no address of web pages");
            }
            ui = url.replaceFirst("/+$", "");
            return this;
        }

        public WorkflowJob build() {
            if (taskQueue == null) {
                throw new IllegalArgumentException("a workflow needs the task queue of its workers");
            }
            return new WorkflowJob(this, taskQueue);
        }

        private Optional<TemporalServer.Encryption> encryption() {
            return encrypted
                    ? Optional.of(new TemporalServer.Encryption(
                            Optional.ofNullable(authority), Optional.ofNullable(identity)))
                    : Optional.empty();
        }

        private static String named(String name, String why) {
            if (name.isBlank()) {
                throw new IllegalArgumentException(why);
            }
            return name;
        }

        private static Duration positive(Duration duration) {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("a time must be positive: " + duration);
            }
            return duration;
        }
    }
}
