// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.file.text.EnumWords;
import io.longhaul.file.webhook.NotifyEntry.End;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The notice to one recipient of the end of one task, and its delivery state. The notice is a row of the store from
 * just before the end until the recipient has taken it. Immutable.
 *
 * @param about  the task, the recipient and the message
 * @param isSure whether the task is known to have ended in this way: the row is written before the end
 * @param tries  the number of attempts, including a present one
 * @param next   when the notice is sent next
 * @param sender the id of the last attempt, unique for each attempt
 */
record EndNotice(About about, boolean isSure, int tries, Instant next, String sender) {

    static final String SPACE = "notice";

    /** How long the notice is sent to a recipient that does not take it. */
    static final Duration PATIENCE = Duration.ofDays(1);

    /** The time after which a row expires that no server takes up. */
    private static final Duration KEPT = Duration.ofDays(7);

    /**
     * The content of a notice.
     *
     * @param recipient the name of the recipient in the file
     * @param ended    the end of the task
     * @param body     of the message
     */
    record About(String recipient, TaskId task, Instant ended, Json body) {}

    /** The notice to a recipient of the end of a task; empty where the recipient does not want it. */
    static Optional<EndNotice> of(NotifyEntry recipient, Task task) {
        var ending = Objects.requireNonNull(task.ending());
        var end = End.valueOf(TaskViews.countedAs(ending.outcome()).name());
        if (!recipient.wants(task.spec().work(), end)) {
            return Optional.empty();
        }
        var about = new About(recipient.name(), task.id(), ending.at(), body(task, ending, end));
        return Optional.of(new EndNotice(about, false, 0, ending.at(), ""));
    }

    /** The message, without arguments and results, because the recipient may not be allowed to see them. */
    private static Json body(Task task, Ending ending, End end) {
        var status = EnumWords.of(end);
        var out = new JsonWriter().beginObject();
        out.name("type").string("task." + status);
        out.name("timestamp").string(ending.at().toString());
        out.name("data").beginObject();
        out.name("taskId").string(task.id().value());
        out.name("tool").string(task.spec().work());
        out.name("status").string(status);
        if (ending.outcome() instanceof Outcome.Failed failed) {
            out.name("reason").string(EnumWords.of(failed.reason()));
        }
        var parent = task.spec().parent();
        if (parent != null) {
            out.name("parent").string(parent.value());
        }
        out.name("createdAt").string(task.spec().createdAt().toString());
        out.name("endedAt").string(ending.at().toString());
        return out.endObject().endObject().toJson();
    }

    /** The id of the message, the same for each attempt at every server. */
    String id() {
        return "end_" + about.task().value();
    }

    String key() {
        return about.recipient() + "/" + about.task().value();
    }

    EndNotice about(About other) {
        return new EndNotice(other, isSure, tries, next, sender);
    }

    /** This notice, claimed for an attempt until a time. */
    EndNotice claimed(String by, Instant until) {
        return new EndNotice(about, true, tries + 1, until, by);
    }

    /** This notice, to be sent again at a time. */
    EndNotice again(Instant when) {
        return new EndNotice(about, isSure, tries, when, sender);
    }

    /** Whether the server gives the notice up at this time. */
    boolean isOverAt(Instant when) {
        return when.isAfter(about.ended().plus(PATIENCE));
    }

    StoredRow row() {
        var out = new JsonWriter().beginObject();
        out.name("recipient").string(about.recipient());
        out.name("task").string(about.task().value());
        out.name("ended").string(about.ended().toString());
        out.name("body").raw(about.body());
        out.name("sure").bool(isSure);
        out.name("tries").number(tries);
        out.name("next").string(next.toString());
        out.name("sender").string(sender);
        return new StoredRow(
                SPACE,
                key(),
                Payload.of(out.endObject().toJson().bytes()),
                about.ended().plus(KEPT));
    }

    static EndNotice of(StoredRow row) {
        var read = JsonTree.read(row.value().bytes());
        var about = new About(
                read.path("recipient").asString(),
                new TaskId(read.path("task").asString()),
                Instant.parse(read.path("ended").asString()),
                JsonTree.write(read.path("body")));
        return new EndNotice(
                about,
                read.path("sure").asBoolean(),
                read.path("tries").asInt(),
                Instant.parse(read.path("next").asString()),
                read.path("sender").asString());
    }
}
