// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.backend.temporal.request.CodecServer;
import io.longhaul.backend.temporal.request.TemporalServer;
import io.longhaul.backend.temporal.request.WorkflowCodec;
import io.longhaul.engine.secret.Secret;
import io.longhaul.engine.task.TaskId;
import io.temporal.api.common.v1.Payload;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The workflow that is the work of a tool: where it runs, and how it is followed and cancelled. Immutable. */
public final class WorkflowJob {

    /** The default address of Temporal. */
    public static final String DEFAULT_ADDRESS = "127.0.0.1:7233";

    /** The default namespace. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** The default prefix of the ids of workflows. */
    public static final String DEFAULT_PREFIX = "longhaul-";

    /** The default time for which requests are retried while Temporal is out of reach. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

    final String type;
    final String taskQueue;
    final TemporalServer server;
    final Function<JsonNode, List<JsonNode>> arguments;
    final WorkflowCodec codec;
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
        arguments = b.arguments;
        codec = b.codec.apply(b.namespace);
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

    /**
     * Builds the description of a workflow. Methods throw {@link IllegalArgumentException} with a sentence that says
     * why.
     */
    public static final class Builder {

        private final String type;
        private @Nullable String taskQueue;
        private String address = DEFAULT_ADDRESS;
        private String namespace = DEFAULT_NAMESPACE;
        private boolean encrypted;
        private @Nullable Path authority;
        private TemporalServer.@Nullable Identity identity;
        private @Nullable Secret key;
        private Function<JsonNode, List<JsonNode>> arguments = List::of;
        private Function<String, WorkflowCodec> codec = namespace -> WorkflowCodec.NONE;
        private @Nullable String prefix;
        private boolean isNamedByTask;
        private @Nullable Duration terminateAfter;
        private @Nullable Duration every;
        private Duration patience = DEFAULT_PATIENCE;
        private @Nullable String ui;

        Builder(String type) {
            this.type = named(type, "a workflow needs the name of its type");
        }

        /** Sets the task queue that the workers poll; required. */
        public Builder taskQueue(String name) {
            taskQueue = named(name, "a task queue needs a name");
            return this;
        }

        /** Sets the frontend of Temporal as {@code host:port}; {@link #DEFAULT_ADDRESS} by default. */
        public Builder address(String hostAndPort) {
            if (!hostAndPort.matches("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):\\d{1,5}")) {
                throw new IllegalArgumentException("'" + hostAndPort + "' is no host and port");
            }
            address = hostAndPort;
            return this;
        }

        /** Sets the namespace; {@link #DEFAULT_NAMESPACE} by default. */
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

        /** Identifies the client to Temporal by this certificate. */
        public Builder identity(Path certificate, Path privateKey) {
            identity = new TemporalServer.Identity(certificate, privateKey);
            return tls();
        }

        /** Sends this API key with each request. */
        public Builder apiKey(Secret secret) {
            key = secret;
            return tls();
        }

        /** Makes the arguments of the workflow from those of a call; by default they are one argument. */
        public Builder arguments(Function<JsonNode, List<JsonNode>> made) {
            arguments = made;
            return this;
        }

        /**
         * Encodes and decodes all payloads as the workers do: the methods {@code encode} and {@code decode} of the
         * {@code PayloadCodec} of the Java SDK that they have.
         */
        public Builder codec(UnaryOperator<List<Payload>> encode, UnaryOperator<List<Payload>> decode) {
            codec = namespace -> WorkflowCodec.of(encode, decode);
            return this;
        }

        /**
         * Has a codec server encode and decode all payloads.
         *
         * @param url     the address before {@code /encode}
         * @param headers of each request, such as {@code Authorization}
         */
        public Builder codecServer(String url, Map<String, Secret> headers) {
            if (!url.matches("https?://[^\\s?#/]+(/[^\\s?#]*)?")) {
                throw new IllegalArgumentException("'" + url + "' is no address of a codec server");
            }
            var base = URI.create(url.replaceFirst("/+$", ""));
            codec = namespace -> new CodecServer(base, namespace, headers);
            return this;
        }

        /**
         * Sets the prefix of the id of each workflow; {@link #DEFAULT_PREFIX} by default. A digest of the id of the
         * task follows, or with {@link #idOfTask} the id itself.
         */
        public Builder idPrefix(String text) {
            prefix = text;
            return this;
        }

        /**
         * Gives each workflow the id of its task; a prefix precedes the id only where it is set. Every reader of
         * Temporal then learns the ids of tasks, and for callers without authorization the id is the only protection of
         * a task.
         */
        public Builder idOfTask() {
            isNamedByTask = true;
            return this;
        }

        /**
         * Terminates a cancelled workflow that has not ended after this time. Zero terminates the workflow at once,
         * without a request to cancel itself. By default a workflow is only asked to cancel itself.
         */
        public Builder terminateAfter(Duration grace) {
            if (grace.isNegative()) {
                throw new IllegalArgumentException("a time cannot be negative: " + grace);
            }
            terminateAfter = grace;
            return this;
        }

        /**
         * The pause between two looks at the reports of a workflow; by default half a second at first, and then ever
         * longer.
         */
        public Builder every(Duration pause) {
            every = positive(pause);
            return this;
        }

        /** How long requests are retried while Temporal is out of reach, before a task fails; 10 min by default. */
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
