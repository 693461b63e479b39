// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.audit;

import io.longhaul.cli.logging.BackgroundLines;
import io.longhaul.cli.logging.RotatedFile;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.settings.Recording;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes one line of JSON for each action of a caller on a task, for each refusal and each denied access. A line
 * contains only the marks of {@link AuditKey} for owners and tasks. Thread-safe.
 */
public final class AuditTrail implements ServerObserver, AutoCloseable {

    /** The default name of the file in the data folder. */
    public static final String FILE = "audit.log";

    private static final int LONGEST = 200;

    private final AuditKey key;
    private final InstantSource clock;
    private final BackgroundLines lines;

    AuditTrail(AuditKey key, InstantSource clock, BackgroundLines.Target target) {
        this.key = key;
        this.clock = clock;
        lines = new BackgroundLines("audit", target, this::lost);
    }

    /**
     * Begins to write.
     *
     * @param data the data folder, which must exist
     * @return empty where no audit log is wanted
     * @throws IOException with words for the user where the file or its key cannot be used
     */
    public static Optional<AuditTrail> in(Path data, Recording.Audit audit) throws IOException {
        if (!audit.isOn()) {
            return Optional.empty();
        }
        var files = audit.files();
        var file = files.path().orElse(data.resolve(FILE));
        try {
            var target = new RotatedFile(file, files.bytes(), files.keep()).open();
            return Optional.of(new AuditTrail(AuditKey.in(data), InstantSource.system(), target));
        } catch (IOException e) {
            throw new IOException(
                    "the audit log " + file + " cannot be written (" + e.getMessage()
                            + "): name another file with --audit, or --audit off",
                    e);
        }
    }

    @Override
    public void on(ServerEvent event) {
        if (!isNoRecord(event)) {
            var at = clock.instant();
            lines.add(() -> line(at, event));
        }
    }

    private static boolean isNoRecord(ServerEvent event) {
        return event instanceof ServerEvent.CallEnded
                || event instanceof ServerEvent.StreamOpened
                || event instanceof ServerEvent.StreamClosed;
    }

    private String line(Instant at, ServerEvent event) {
        var out = new JsonWriter().beginObject().name("time").string(at.toString());
        switch (event) {
            case ServerEvent.TaskCreated created -> {
                about(out, "created", event, created.task(), created.tool());
                out.name("how").string(word(created.way()));
            }
            case ServerEvent.ResultRead read -> about(out, "read", event, read.task(), read.tool());
            case ServerEvent.AnswerTaken answer -> about(out, "answered", event, answer.task(), answer.tool());
            case ServerEvent.TaskCancelled cancelled ->
                about(out, "cancelled", event, cancelled.task(), cancelled.tool());
            case ServerEvent.TaskDeleted deleted -> about(out, "deleted", event, deleted.task(), deleted.tool());
            case ServerEvent.Refused refused -> {
                about(out, "refused", event, refused.task(), refused.tool());
                out.name("rule").string(word(refused.rule()));
            }
            case ServerEvent.AccessDenied denied -> {
                about(out, "denied", event, null, null);
                out.name("status").number(denied.status());
            }
            case ServerEvent.PatternSeen seen -> {
                about(out, "pattern", event, null, null);
                out.name("pattern").string(word(seen.pattern()));
                out.name("count").number(seen.count());
                out.name("windowSeconds").number(seen.window().toSeconds());
            }
            case ServerEvent.NoticeGivenUp given -> {
                about(out, "untold", event, given.task(), null);
                out.name("recipient").string(given.recipient());
                out.name("tries").number(given.tries());
            }
            case ServerEvent.CallEnded ended -> throw new IllegalArgumentException("no record: " + ended);
            case ServerEvent.StreamOpened opened -> throw new IllegalArgumentException("no record: " + opened);
            case ServerEvent.StreamClosed closed -> throw new IllegalArgumentException("no record: " + closed);
        }
        return safe(out);
    }

    private void about(JsonWriter out, String what, ServerEvent event, @Nullable String task, @Nullable String tool) {
        out.name("event").string(what);
        ObservedCaller caller = event.caller();
        var principal = caller.principal();
        if (principal != null) {
            out.name("owner").string(key.owner(principal.name()));
            out.name("kind").string(word(principal.kind()));
        }
        out.optional("task", task == null ? null : key.task(task));
        out.optional("tool", shortened(tool));
        out.optional("generation", caller.generation());
        out.optional("address", caller.address());
    }

    private String lost(long count) {
        var out = new JsonWriter()
                .beginObject()
                .name("time")
                .string(clock.instant().toString());
        return safe(out.name("event").string("lost").name("count").number(count));
    }

    /** The JSON with control characters and characters that change the direction of text escaped. */
    private static String safe(JsonWriter out) {
        return SafeText.line(out.endObject().toJson().toString());
    }

    private static String word(Enum<?> one) {
        return EnumWords.of(one).replace('_', '-');
    }

    private static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    @Override
    public void close() {
        lines.close();
    }
}
