// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.look;

import io.longhaul.cli.Command;
import io.longhaul.cli.ExitCode;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.Access;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.call.Generations;
import io.longhaul.cli.call.JsonText;
import io.longhaul.cli.call.KeyValue;
import io.longhaul.cli.call.Targets;
import io.longhaul.cli.terminal.SafeText;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.ListedPrompt;
import io.longhaul.client.ListedResource;
import io.longhaul.client.ListedTemplate;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import io.longhaul.protocol.dialect.ClientDialect.Making;
import io.longhaul.protocol.dialect.ClientDialects;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Connects to a server, reads one thing, and prints it.
 *
 * @param takes the words after the address: none, one name, or one name with arguments
 * @param look  reads the thing and formats it
 */
public record LookCommand(Help help, Takes takes, Look look) implements Command {

    private static final String URL =
            "URL is an address such as http://127.0.0.1:8080/mcp, or 'stdio:PROGRAM ARGUMENT...' to start a server.";
    private static final String EXIT_CODES =
            "exit codes: 0 success, 2 usage, 3 refused or protocol error, 4 no connection";

    /** The words that a command takes after the address. */
    public enum Takes {
        NOTHING,
        A_NAME,
        A_NAME_AND_ARGUMENTS
    }

    /**
     * The thing that was read, as text and as JSON.
     *
     * @param only the part to print unchanged where the output is no terminal; null unless the thing is exactly one
     *     part
     */
    public record Seen(
            List<String> text, JsonNode json, @Nullable ResourcePart only) {
        Seen(List<String> text, JsonNode json) {
            this(text, json, null);
        }
    }

    /** Reads something from a server; {@code words} are the words after the address. */
    @FunctionalInterface
    public interface Look {
        Seen at(McpClient client, List<String> words);
    }

    public static LookCommand tools() {
        return list("tools", "list the tools of a server, with their input and output", (client, words) -> {
            var tools = client.tools();
            var tasks = ClientDialects.of(client.server().generation()).traits().tasks();
            return new Seen(
                    LookText.tools(tools, tasks.making() == Making.ALLOWED),
                    LookText.json("tools", tools, tool -> tool.definition()));
        });
    }

    public static LookCommand resources() {
        return list("resources", "list the resources of a server, and their templates", (client, words) -> {
            boolean has = LookText.declares(client, "resources");
            var listed = has ? client.resources().list() : List.<ListedResource>of();
            var templates = has ? client.resources().templates() : List.<ListedTemplate>of();
            var json = LookText.json("resources", listed, resource -> resource.definition());
            json.setAll(LookText.json("resourceTemplates", templates, template -> template.definition()));
            return new Seen(LookText.resources(listed, templates), json);
        });
    }

    public static LookCommand prompts() {
        return list("prompts", "list the prompts of a server, with their arguments", (client, words) -> {
            var prompts =
                    LookText.declares(client, "prompts") ? client.prompts().list() : List.<ListedPrompt>of();
            return new Seen(
                    LookText.prompts(prompts), LookText.json("prompts", prompts, prompt -> prompt.definition()));
        });
    }

    private static LookCommand list(String what, String summary, Look look) {
        return of(what + " URL", summary, Takes.NOTHING, look);
    }

    private static LookCommand of(String usage, String summary, Takes takes, Look look) {
        return new LookCommand(
                new Help(
                        usage,
                        summary,
                        Generations.help(URL, EXIT_CODES),
                        takes == Takes.NOTHING
                                ? Option.and(Access.OPTIONS, CallRunner.OUTPUT, Generations.OPTION)
                                : Option.and(
                                        Access.OPTIONS,
                                        CallRunner.OUTPUT,
                                        Generations.OPTION,
                                        CallRunner.YES,
                                        CallRunner.ANSWER)),
                takes,
                look);
    }

    public static LookCommand read() {
        return of("read URL RESOURCE", "print the content of a resource", Takes.A_NAME, (client, words) -> {
            var parts = client.resources().read(words.getFirst());
            return new Seen(LookText.parts(parts), LookText.json(parts), parts.size() == 1 ? parts.getFirst() : null);
        });
    }

    public static LookCommand prompt() {
        return of(
                "prompt URL NAME [key=value...]",
                "print a prompt with its arguments filled in",
                Takes.A_NAME_AND_ARGUMENTS,
                (client, words) -> {
                    var filled = client.prompts().get(words.getFirst(), arguments(words.subList(1, words.size())));
                    return new Seen(LookText.filled(filled), LookText.json(filled));
                });
    }

    private static Map<String, String> arguments(List<String> pairs) {
        var arguments = new LinkedHashMap<String, String>();
        for (var pair : pairs) {
            var given = KeyValue.parse(pair);
            if (arguments.putIfAbsent(given.key(), given.value()) != null) {
                throw given.twice();
            }
        }
        return arguments;
    }

    public static LookCommand ping() {
        return of("ping URL", "check that a server answers", Takes.NOTHING, (client, words) -> {
            var millis = client.ping().toMillis();
            var name = SafeText.line(client.server().name());
            return new Seen(
                    List.of(name + " answered in " + millis + " ms"),
                    JsonText.object().put("name", client.server().name()).put("millis", millis));
        });
    }

    /** The command that shows the server's description of itself. */
    public static LookCommand info() {
        return of("info URL", "show what a server says about itself", Takes.NOTHING, (client, words) -> {
            var server = client.server();
            return new Seen(LookText.info(server), LookText.json(server));
        });
    }

    private static byte[] bytes(ResourcePart part) {
        return switch (part) {
            case ResourcePart.Text text -> text.text().getBytes(StandardCharsets.UTF_8);
            case ResourcePart.Bytes bytes -> bytes.bytes();
        };
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        var target = arguments.word(0, "the address of the server");
        if (takes != Takes.NOTHING) {
            arguments.word(1, takes == Takes.A_NAME ? "the address of the resource" : "the name of the prompt");
        }
        if (takes != Takes.A_NAME_AND_ARGUMENTS) {
            arguments.expectWords(takes == Takes.NOTHING ? 1 : 2);
        }
        boolean asJson = CallRunner.isJson(arguments);
        var words = arguments.words().subList(1, arguments.words().size());
        var builder = Access.give(Generations.choose(Targets.client(target), arguments), arguments, terminal);
        try (var client = new CallRunner(terminal, arguments, interrupt -> {}).connect(builder, false)) {
            var seen = look.at(client, words);
            if (asJson) {
                terminal.out().println(JsonText.pretty(seen.json()));
            } else if (seen.only() != null && terminal.out().write(bytes(seen.only()))) {
                return ExitCode.OK;
            } else if (seen.text().isEmpty()) {
                terminal.err()
                        .println("longhaul: " + SafeText.line(client.server().name()) + " has none");
            } else {
                seen.text().forEach(terminal.out()::println);
            }
            return ExitCode.OK;
        }
    }
}
