// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.answer.PresetAnswers;
import io.longhaul.cli.answer.QuestionAnswers;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.Patience;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.LogLevel;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.file.text.EnumWords;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs a new call or an attached one to its end, with a client that can ask the user. */
public final class CallRunner {
    public static final Option YES =
            Option.flag("--yes", "answer questions with their defaults, and with yes where they have none");
    public static final Option ANSWER =
            Option.valued("--answer", "FIELD=VALUE", "answer a field of a question; may be repeated");
    public static final Option OUTPUT =
            Option.valued("--output", "text|json", "the format of the result; text by default");
    static final Option LOG =
            Option.valued("--log", "LEVEL", "show log lines of the tool of this level and above: " + levels());

    /** How an open question is answered by another command. */
    static final String ANSWERING = "longhaul tasks answer REFERENCE yes|no";

    /** The form of the end of a call that goes on without the program, for the help. */
    static final String LEFT =
            "With --output json, a task left running is one object {\"outcome\": \"left\", \"reason\", \"task\"}.";

    /** What becomes of a command whose server dies, for the help. */
    public static final String AWAY =
            "While the server is away, the command says so and tries again for five minutes; then it ends with 4.";

    /** The form of errors for programs, for the help. */
    public static final String ERRORS = "With --output json, an error is one object {\"error\": {\"kind\", \"message\","
            + " \"exitCode\"}} on standard output.";

    private final UserConsole console;
    private final Consumer<Runnable> interrupts;
    private final boolean json;
    private final Arguments arguments;
    private final Optional<LogLevel> log;
    private final QuestionAnswers questions;
    private final TroubleLines troubles;
    private String otherwise = "";
    private Patience patience = Patience.of(Duration.ZERO);

    public CallRunner(Terminal terminal, Arguments arguments, Consumer<Runnable> interrupts) {
        this.console = UserConsole.at(terminal);
        this.interrupts = interrupts;
        this.json = isJson(arguments);
        this.arguments = arguments;
        this.log = arguments.value(LOG).map(CallRunner::level);
        var preset = PresetAnswers.of(arguments.values(ANSWER), arguments.has(YES));
        this.questions = new QuestionAnswers(console, preset);
        this.troubles = new TroubleLines(console.status()::say);
    }

    /** Whether a command shall print JSON. */
    public static boolean isJson(Arguments arguments) {
        return arguments.isJson(OUTPUT).orElse(false);
    }

    private static String levels() {
        return String.join(", ", EnumWords.all(LogLevel.class));
    }

    private static LogLevel level(String word) {
        return EnumWords.find(LogLevel.class, word)
                .orElseThrow(() -> new UsageException("--log is one of " + levels() + ", not \"" + word + "\"."));
    }

    /** Sets how long to wait for a server that cannot be reached. */
    CallRunner waiting(Patience longer) {
        patience = longer;
        return this;
    }

    /** Leaves each question open that nothing answers here. */
    CallRunner leavingOpen() {
        questions.leaveOpen();
        return this;
    }

    /** Sets how else a question can be answered: a clause. */
    CallRunner answeredBy(String way) {
        otherwise = way;
        return this;
    }

    /** Connects, runs {@code begin}, and follows the call that it gives. */
    public int run(McpClientBuilder builder, Function<McpClient, RemoteCall<CallOutcome>> begin)
            throws InterruptedException {
        try (var client =
                patience.open(() -> connect(builder, false), ServerUnreachableException.class, this::tellAway)) {
            log.ifPresent(client::logLevel);
            var conversation = new FollowedCall(console, begin.apply(client), troubles);
            interrupts.accept(conversation::interrupted);
            var saved = SavedResult.of(arguments, client, console.terminal());
            var printer = new ResultPrinter(console.terminal(), json, saved);
            int code = conversation.follow(printer);
            boolean isUnanswered = printer.isOfUnasked() && questions.areRefused() || questions.wereLeftWithoutFields();
            if (code != ExitCode.OK && isUnanswered) {
                console.status()
                        .say("without a terminal, add --yes, or --answer FIELD=VALUE for a field of a form"
                                + otherwise);
            }
            boolean failed = code == ExitCode.TOOL_ERROR || code == ExitCode.PROTOCOL_ERROR;
            return failed && questions.wereLeft() ? ExitCode.UNANSWERED : code;
        }
    }

    private void tellAway(ServerUnreachableException away) {
        console.status().say(SafeText.line(String.valueOf(away.getMessage())) + " (waiting for it, Ctrl-C ends that)");
    }

    /** Connects; {@code later} tells whether a person may come back to answer questions. */
    public McpClient connect(McpClientBuilder builder, boolean later) {
        return builder.answers(questions.handler(later)).onTrouble(troubles).connect();
    }
}
