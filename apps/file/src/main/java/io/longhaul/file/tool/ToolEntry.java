// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Template;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.work.CommandEntry;
import io.longhaul.file.work.WorkEntry;
import io.longhaul.server.Icon;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.nio.charset.Charset;
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
 * @param label       the names and texts of the tool
 * @param schemas     JSON Schema of its arguments and of its result
 * @param work        the work of the tool
 * @param running     how the work is run
 * @param output      how its output is used
 * @param questions   the questions before or after the work, in their order
 */
public record ToolEntry(
        Label label, Schemas schemas, WorkEntry work, Running running, Output output, List<Question> questions) {

    /** The kind of encodings. */
    public static final Binder.Kind<Charset> ENCODING = Binder.Kind.ofText(
            "an encoding with ASCII characters",
            ToolEntry::charset,
            "Write one such as latin1, windows-1252, Shift_JIS or GB18030");

    /** The kind of rates. */
    public static final Binder.Kind<Rate> RATE =
            Binder.Kind.ofText("a rate", Rate::parse, "Write a number and a unit, such as 2/s, 10/m or 100/h");

    /** The kind of repetitions. */
    public static final Binder.Kind<Repetition> RETRY = (in, place) -> in.file().has(place)
            ? in.read(place, "retry", RetryFields.class).repetition()
            : new Repetition(Retry.NEVER, Set.of());

    public ToolEntry {
        questions = List.copyOf(questions);
    }

    private static Optional<Charset> charset(String name) {
        try {
            return Optional.of(Charset.forName(name)).filter(ShellCommand::isReadable);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public String name() {
        return label.names().now();
    }

    /** JSON Schema of the arguments, an object. */
    public ObjectNode inputSchema() {
        return schemas.input();
    }

    /** The work, where it is a command. */
    public Optional<CommandEntry> command() {
        return work instanceof CommandEntry command ? Optional.of(command) : Optional.empty();
    }

    /**
     * JSON Schema of a tool.
     *
     * @param input  of its arguments, an object
     * @param output of its structured result, an object; null where any object is valid, or the output is text
     */
    public record Schemas(ObjectNode input, @Nullable ObjectNode output) {}

    /**
     * The name of a tool, and those that it had before.
     */
    public record Names(@Binder.Key String now, List<String> formerly) {
        public Names {
            formerly = List.copyOf(formerly);
        }

        /** Whether the tool has or had this name. */
        public boolean isOf(String name) {
            return now.equals(name) || formerly.contains(name);
        }
    }

    /**
     * The names of a tool, and its texts for people and models; title and description may be null.
     *
     * @param scopes that a caller needs where callers have scopes
     * @param hints  annotations of the tool, by the names in the file, such as {@code readOnly}
     * @param icons  pictures for clients that show them
     */
    public record Label(
            Names names,
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
     * @param durable how its calls last
     * @param plain   how calls without a task are answered
     */
    public record Running(Durable durable, Plain plain) {

        public Mode mode() {
            return durable.quick() ? Mode.QUICK : durable.taskOnly() ? Mode.TASK_ONLY : Mode.LONG;
        }
    }

    /**
     * How the calls of a tool last, by the names of the fields.
     *
     * @param onCrash     what happens to a call when the server dies
     * @param timeout     the time limit of one call, or null for none
     * @param keepFor     how long a finished call is kept, or null for the default
     * @param slots       when a call gets a slot, and how long a call that says nothing keeps the slot
     */
    public record Durable(
            CrashPolicy onCrash,
            @Nullable Duration timeout,
            @Nullable Duration keepFor,
            SlotBounds slots,
            boolean taskOnly,
            boolean quick) {}

    /**
     * The slots of the calls of a tool, by the names of the fields.
     *
     * @param idle        how long a call may say nothing, or null for no limit
     * @param concurrency the most calls that run at once, or null for no limit
     * @param rate        how many calls begin in some time, or null for no limit
     * @param on          the labels of the nodes that run the calls
     */
    public record SlotBounds(
            @Nullable Duration idle,
            @Nullable Integer concurrency,
            int priority,
            @Nullable Rate rate,
            List<String> on) {
        public SlotBounds {
            on = List.copyOf(on);
        }
    }

    /**
     * How calls without a task are answered.
     *
     * @param immediate what a model is told while the call goes on, or null for nothing
     * @param longWhen  JSON Schema of the arguments of long calls; all other calls are answered at once; null where
     *     every call is long
     */
    public record Plain(
            Waiting waiting,
            @Nullable Template immediate,
            @Nullable ObjectNode longWhen) {}

    /**
     * How long a caller without a task waits, by the names of the fields.
     *
     * @param hold   how long a call is held open in a host that knows no tasks, or null for the default
     * @param resume how a result is given in parts
     */
    public record Waiting(
            @Nullable Duration hold, WhenAbandoned whenAbandoned, WhenRepeated whenRepeated, Resume resume) {}

    /**
     * How a result is given in parts, by the names of the fields.
     *
     * @param always whether every caller gets parts
     * @param patience how long a call waits for the next part, or null for the default
     * @param life   how long a token is valid, or null for the default
     */
    public record Resume(
            boolean always,
            @Binder.Named("wait") @Nullable Duration patience,
            @Binder.Named("for") @Nullable Duration life) {}

    /**
     * How the output of a tool is used.
     *
     * @param progress regular expressions that find progress in its lines; the first match of a line counts
     * @param partial  finds the lines that the caller gets at once as partial output, or null for none
     * @param maxBytes the most bytes of output that are kept, or null for the default
     * @param longest  the most bytes of a text of the result that a caller gets at once
     * @param exits    the meaning of its exit codes
     * @param taken    which output becomes the result
     */
    public record Output(
            List<String> progress,
            @Nullable Pattern partial,
            @Binder.Named("maxOutput") @Nullable Long maxBytes,
            @Binder.Named("resultText") long longest,
            Exits exits,
            Taken taken) {}

    /**
     * Which output becomes the result.
     *
     * @param hidden     lines that begin with this are left out; null to leave out none
     * @param speech     which lines the command says to its task
     * @param raw        whether codes for a terminal stay in the result
     * @param errorsSaid whether the file says that standard error goes to the log of the task, and not to the output
     * @param encoding   of the text, or null to find it in the text
     * @param isJson     whether the output is one JSON object
     */
    public record Taken(
            @Binder.Named("hide") @Nullable String hidden,
            Speech speech,
            boolean raw,
            @Binder.Named(value = "stderr", says = "log") boolean errorsSaid,
            @Nullable Charset encoding,
            @Binder.Named(value = "result", says = "json") boolean isJson) {

        /** Whether standard error goes to the log of the task, and not to the output. */
        public boolean errorsLogged() {
            return isJson || errorsSaid;
        }
    }

    /**
     * Which lines of the output a command says to its task.
     *
     * @param isInOutput whether it says them there, and not by a file
     * @param beginning  of these lines
     */
    public record Speech(
            @Binder.Named(value = "say", says = "stdout") boolean isInOutput,
            @Binder.Named("sayPrefix") @Nullable String beginning) {

        private static final String USUAL = "::say";

        /** What the lines begin with; null where the output has none. */
        public @Nullable String prefix() {
            return !isInOutput ? null : beginning == null ? USUAL : beginning;
        }
    }

    /**
     * The meaning of the ends of the work.
     *
     * @param success the exit codes of success of a command
     * @param retry   when the work is run again
     * @param suspendAfter how long a command waits for an answer before it ends, to be run again with the answer; null
     *     where it does not end
     */
    public record Exits(
            @Binder.Named("successCodes") Set<Integer> success,
            Repetition retry,
            @Nullable Duration suspendAfter) {}

    /**
     * When the work is run again.
     *
     * @param exitCodes of a command, after which that is so; empty for all that mean failure
     */
    public record Repetition(Retry policy, Set<Integer> exitCodes) {}

    /** The fields of {@code retry:} that are not of {@code http:} alone. */
    private record RetryFields(
            @Nullable Integer count, @Nullable Duration backoff, Set<Integer> exitCodes) {
        Repetition repetition() {
            var policy = new Retry(count == null ? 0 : count, backoff == null ? Duration.ZERO : backoff);
            return new Repetition(policy, exitCodes);
        }
    }

    /** Which calls of a tool are tasks. */
    public enum Mode {
        /** A task wherever the caller can take one. */
        LONG,
        /** Only as a task. */
        TASK_ONLY,
        /** Never a task: calls are answered at once. */
        QUICK
    }

    /**
     * A question to the caller.
     *
     * @param key     unique in the tool; its answers are the placeholders {@code {key.field}}
     * @param message the text of the question; may hold placeholders of inputs
     * @param form    what is asked, and which answers let the tool go on
     * @param after whether the question is asked after the command, before the result is handed out; else before the
     *     command
     * @param asArgument whether a caller that can neither be asked nor have a task answers by the argument {@code key}
     */
    public record Question(String key, Template message, Form form, boolean after, boolean asArgument) {

        /** The schema of the answer, a flat object. */
        public ObjectNode schema() {
            return form.schema();
        }

        /**
         * A form and its good answers, each as JSON Schema.
         *
         * @param schema of the answer, a flat object; without properties for yes or no
         * @param must   of the answers that let the tool go on
         */
        public record Form(ObjectNode schema, ObjectNode must) {}
    }
}
