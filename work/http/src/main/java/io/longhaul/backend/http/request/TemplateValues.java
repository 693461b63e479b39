// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.run.Template;
import io.longhaul.engine.task.TaskId;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The values for the slots of a job's requests: {@code {name}} an argument, {@code {name.field}} a field of an
 * argument, {@code {task.key}} the idempotency key, {@code {task.id}} the id of the task, {@code {task.callback}} the
 * address that the API calls back, {@code {task.arguments}} all arguments as one JSON text, {@code {job.id}} the id
 * that the API has given to its job, and {@code {job.offset}} the number of bytes of its output that were read; and the
 * names of a {@link JobCaller}.
 *
 * @param retry    the number of the retry that the job belongs to, or 0
 * @param callback null where the job wants no callbacks
 * @param jobId    null while the id is not known
 * @param offset   null in all requests but those for output
 */
public record TemplateValues(
        JobCall call,
        int retry,
        @Nullable String callback,
        @Nullable String jobId,
        @Nullable Long offset) {

    /** The call of a tool: what its caller has given, and who that is. */
    public record JobCall(ObjectNode arguments, TaskId task, JobCaller caller) {}

    public static final String KEY = "task.key";
    public static final String ID = "task.id";
    public static final String CALLBACK = "task.callback";
    static final String ARGUMENTS = "task.arguments";
    public static final String JOB = "job.id";
    public static final String OFFSET = "job.offset";

    private static final long VERSION = 0x8000L;
    private static final long VERSION_BITS = 0xF000L;
    private static final long VARIANT = 1L << 63;
    private static final long VARIANT_BITS = 3L << 62;

    /**
     * The idempotency key of a task: always the same for a task but for its retries, in the form of a UUID, which all
     * APIs accept. The key is a digest, because the id may be the only protection of a task, and an API must not learn
     * it.
     */
    public static String key(TaskId task) {
        return key(task.value());
    }

    /** The key of the task in this retry. */
    public String key() {
        return key(id());
    }

    private static String key(String id) {
        var bits = ByteBuffer.wrap(Sha256.of("longhaul-job-" + id));
        return new UUID(bits.getLong() & ~VERSION_BITS | VERSION, bits.getLong() & ~VARIANT_BITS | VARIANT).toString();
    }

    /** The id of the task; in a retry with its number, so that the API takes the start for another one. */
    private String id() {
        return retry == 0 ? call.task().value() : call.task() + "-" + (retry + 1);
    }

    public TemplateValues withJob(@Nullable String id) {
        return new TemplateValues(call, retry, callback, id, offset);
    }

    public TemplateValues withOffset(long position) {
        return new TemplateValues(call, retry, callback, jobId, position);
    }

    /** The value of a name; empty for a value that was not given, or is null. */
    Optional<JsonNode> find(String name) {
        var text = JsonNodeFactory.instance;
        return switch (name) {
            case KEY -> Optional.of(text.stringNode(key()));
            case ID -> Optional.of(text.stringNode(id()));
            case CALLBACK -> Optional.ofNullable(callback).map(text::stringNode);
            case ARGUMENTS -> Optional.of(text.stringNode(call.arguments().toString()));
            case JOB -> Optional.ofNullable(jobId).map(text::stringNode);
            case OFFSET -> Optional.ofNullable(offset).map(text::numberNode);
            default ->
                isOfCaller(name)
                        ? Optional.ofNullable(call.caller().values().get(name)).map(text::stringNode)
                        : JsonTemplate.find(call.arguments(), name);
        };
    }

    private boolean isOfCaller(String name) {
        return call.caller().names().contains(name);
    }

    /** Whether a text says something of the caller. */
    boolean isOfCaller(Template text) {
        return text.slots().stream().anyMatch(this::isOfCaller);
    }

    /** The text with its values; empty where one is missing. */
    Optional<String> fill(Template text) {
        return JsonTemplate.filled(text, this::find);
    }

    /** The value of a field: that of a slot where the template is exactly one; empty where a value is missing. */
    Optional<JsonNode> value(Template field) {
        return JsonTemplate.value(field, this::find);
    }

    /** A value, percent-encoded: the items of a list with commas between them, and an object in the same way. */
    String listed(String name) {
        return find(name)
                .filter(JsonNode::isContainer)
                .map(value -> PartStyle.joined(value, ","))
                .orElseGet(() -> PartStyle.encoded(text(name)));
    }

    /** @throws RefusedValueException when the value was not given */
    String text(String name) {
        return find(name)
                .map(TemplateValues::asText)
                .orElseThrow(() -> new RefusedValueException("The argument '" + name + "' is missing."));
    }

    public static String asText(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
