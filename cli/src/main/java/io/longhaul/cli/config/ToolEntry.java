// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import io.longhaul.backend.shell.Retry;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.Icon;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool of a file.
 *
 * @param label       how it is called
 * @param inputSchema JSON Schema of its arguments, an object
 * @param work        what is run
 * @param running     how it is run
 * @param output      what is made of its output
 * @param questions   asked before the work is run or after it, in their order
 */
public record ToolEntry(
        Label label, ObjectNode inputSchema, WorkEntry work, Running running, Output output, List<Question> questions) {
    public ToolEntry {
        questions = List.copyOf(questions);
    }

    public String name() {
        return label.name();
    }

    /** What is run where that is a command. */
    public Optional<CommandEntry> command() {
        return work instanceof CommandEntry command ? Optional.of(command) : Optional.empty();
    }

    /**
     * How a tool is called: its name, and what people and models are told; title and description may be null.
     *
     * @param scopes that a caller needs where callers are told apart
     * @param hints  what the tool is said to be, by the names of the file, such as {@code readOnly}
     * @param icons  pictures for clients that show them
     */
    public record Label(
            String name,
            @Nullable String title,
            @Nullable String description,
            List<String> scopes,
            Map<String, Boolean> hints,
            List<Icon> icons) {
        public Label {
            scopes = List.copyOf(scopes);
            hints = Collections.unmodifiableMap(new LinkedHashMap<>(hints));
            icons = List.copyOf(icons);
        }
    }

    /**
     * How a tool is run.
     *
     * @param mode        how its calls may be tasks
     * @param onCrash     what becomes of a call when the server dies
     * @param timeout     of one call in all, or null for none
     * @param keep        how long a finished call is kept, or null for the default
     * @param concurrency calls that run at once; {@link Integer#MAX_VALUE} for no limit
     * @param plain       how calls are answered by something else than a task
     */
    public record Running(
            Mode mode,
            CrashPolicy onCrash,
            @Nullable Duration timeout,
            @Nullable Duration keep,
            int concurrency,
            Plain plain) {}

    /**
     * How calls are answered by something else than a task.
     *
     * @param hold      how long a call is held open in a host that knows no tasks, or null for the default
     * @param immediate what a model is told while the call goes on, or null for nothing
     * @param resume    how a result is given in parts
     * @param longWhen  JSON Schema of the arguments of calls that are long, all others being answered at once; null
     *                  where every call is long
     */
    public record Plain(
            @Nullable Duration hold,
            WhenAbandoned whenAbandoned,
            WhenRepeated whenRepeated,
            @Nullable Template immediate,
            Resume resume,
            @Nullable ObjectNode longWhen) {}

    /**
     * How a result is given in parts.
     *
     * @param always whether every caller gets parts
     * @param patience how long a call waits for the next part, or null for the default
     * @param life   of a token, or null for the default
     */
    public record Resume(
            boolean always,
            @Nullable Duration patience,
            @Nullable Duration life) {}

    /**
     * What is made of the output of a tool.
     *
     * @param progress     expressions that find progress in its lines, the first that matches a line wins
     * @param partial      finds the lines that the caller gets at once as partial output, or null for none
     * @param maxBytes     that are kept of it, or null for the default
     * @param exits        what its exit codes mean
     * @param result       what the result has of it
     */
    public record Output(
            List<String> progress,
            @Nullable Pattern partial,
            @Nullable Integer maxBytes,
            Exits exits,
            Result result) {
        public Output {
            progress = List.copyOf(progress);
        }
    }

    /**
     * What a result has of the output.
     *
     * @param hidden lines that begin with this are left out; null to leave out none
     * @param raw    whether codes for a terminal stay in it
     * @param json   what the output is as JSON, or null where it is text
     */
    public record Result(
            @Nullable String hidden, boolean raw, @Nullable JsonOutput json) {}

    /**
     * Output that is one JSON object.
     *
     * @param schema JSON Schema of it, or null where any object is good
     */
    public record JsonOutput(@Nullable ObjectNode schema) {}

    /**
     * What the exit codes of a command mean.
     *
     * @param success those that mean success
     * @param retry   when it is run again
     */
    public record Exits(Set<Integer> success, Retry retry) {
        public Exits {
            success = Set.copyOf(success);
        }
    }

    /** How the calls of a tool may be tasks. */
    public enum Mode {
        /** Each generation's best: a task where the caller can take one. */
        LONG,
        /** Only as a task. */
        TASK_ONLY,
        /** Never a task: it answers at once. */
        QUICK
    }

    /**
     * A question to the caller.
     *
     * @param key     unique in the tool; its answers are the placeholders {@code {key.field}}
     * @param message what is asked; may hold placeholders of inputs
     * @param schema  of the answer, a flat object
     * @param after whether it is asked when the command has ended, before the result is handed out; else before the
     *   command
     * @param asArgument whether a caller that can neither be asked nor have a task answers by the argument {@code key}
     */
    public record Question(String key, Template message, ObjectNode schema, boolean after, boolean asArgument) {}
}
