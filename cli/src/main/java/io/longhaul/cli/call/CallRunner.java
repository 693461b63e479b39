package io.longhaul.cli.call;

import io.longhaul.cli.ExitCode;
import io.longhaul.cli.Version;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.terminal.Interrupts;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteCall;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** What following a call needs, whether it is a new one or one that was left: a client that can ask the user. */
public final class CallRunner {
    public static final Option YES =
            Option.flag("--yes", "answer questions with their defaults, and with yes where they have none");
    public static final Option ANSWER =
            Option.valued("--answer", "FIELD=VALUE", "answer a field of a question; may be repeated");
    public static final Option OUTPUT =
            Option.valued("--output", "text|json", "how to print the result; text by default");

    private final UserConsole console;
    private final Consumer<Runnable> interrupts;
    private final boolean json;
    private final QuestionAnswers questions;

    public CallRunner(Terminal terminal, Arguments arguments, Consumer<Runnable> interrupts) {
        this.console = UserConsole.at(terminal);
        this.interrupts = interrupts;
        this.json = isJson(arguments);
        var preset = PresetAnswers.of(arguments.values("--answer"), arguments.has("--yes"));
        this.questions = new QuestionAnswers(console, preset);
    }

    /** Real signals. */
    static Consumer<Runnable> signals() {
        return Interrupts::onInterrupt;
    }

    /** Whether a command shall print JSON. */
    public static boolean isJson(Arguments arguments) {
        var output = arguments.value("--output").orElse("text");
        if (!List.of("text", "json").contains(output)) {
            throw new UsageException("--output is text or json, not \"" + output + "\".");
        }
        return output.equals("json");
    }

    /** Connects, does what {@code begin} says, and follows the call that it gives. */
    int run(McpClientBuilder builder, Function<McpClient, RemoteCall<CallOutcome>> begin) throws InterruptedException {
        try (var client = connect(builder, false)) {
            var conversation = new Conversation(console, begin.apply(client));
            interrupts.accept(conversation::interrupted);
            int code = conversation.follow(new ResultPrinter(console.terminal(), json));
            boolean cameToItsEnd = code <= ExitCode.PROTOCOL_ERROR;
            return cameToItsEnd && questions.wereLeft() ? ExitCode.UNANSWERED : code;
        }
    }

    /** Connects; {@code later} tells whether a person may come back to answer questions. */
    public McpClient connect(McpClientBuilder builder, boolean later) {
        return builder.name("longhaul", Version.TEXT)
                .answers(questions.handler(later))
                .connect();
    }
}
