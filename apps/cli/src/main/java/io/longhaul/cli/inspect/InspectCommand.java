// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.inspect;

import io.longhaul.cli.answer.KeyValue;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.call.CallRunner;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.Generations;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.ListedPrompt;
import io.longhaul.client.ListedResource;
import io.longhaul.client.ListedTemplate;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import io.longhaul.requestor.LongCall;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Connects to a server, reads one thing, and prints it.
 *
 * @param name   what the word after the address names; null where the command takes none
 * @param reader  reads the thing and formats it
 */
public record InspectCommand(Help help, @Nullable String name, Reader reader) implements CliCommand {

    private static final String URL =
            "URL is an address such as http://127.0.0.1:8080/mcp, or 'stdio:PROGRAM ARGUMENT...' to start a server.";
    private static final String EXIT_CODES =
            "exit codes: 0 success, 2 usage, 3 refused or protocol error, 4 no connection";

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
    public interface Reader {
        Seen read(McpClient client, List<String> words);
    }

    public static InspectCommand tools() {
        return of("tools [URL]", "list the tools of a server, with their input and output", null, (client, words) -> {
            var tools = client.tools();
            return new Seen(
                    ServerText.tools(tools, client.server().longCall() == LongCall.TASK_BY_SERVER),
                    ServerText.json("tools", tools, tool -> tool.definition()));
        });
    }

    public static InspectCommand resources() {
        return of("resources [URL]", "list the resources of a server, and their templates", null, (client, words) -> {
            boolean has = ServerText.declares(client, "resources");
            var listed = has ? client.resources().list() : List.<ListedResource>of();
            var templates = has ? client.resources().templates() : List.<ListedTemplate>of();
            var json = ServerText.json("resources", listed, resource -> resource.definition());
            json.setAll(ServerText.json("resourceTemplates", templates, template -> template.definition()));
            return new Seen(ServerText.resources(listed, templates), json);
        });
    }

    public static InspectCommand prompts() {
        return of("prompts [URL]", "list the prompts of a server, with their arguments", null, (client, words) -> {
            var prompts =
                    ServerText.declares(client, "prompts") ? client.prompts().list() : List.<ListedPrompt>of();
            return new Seen(
                    ServerText.prompts(prompts), ServerText.json("prompts", prompts, prompt -> prompt.definition()));
        });
    }

    private static InspectCommand of(String usage, String summary, @Nullable String name, Reader reader) {
        var options = name == null
                ? Option.and(Credentials.OPTIONS, CallRunner.OUTPUT, Generations.OPTION)
                : Option.and(
                        Credentials.OPTIONS, CallRunner.OUTPUT, Generations.OPTION, CallRunner.YES, CallRunner.ANSWER);
        return new InspectCommand(
                new Help(usage, summary, Generations.help(URL, NamedServer.HELP, EXIT_CODES), options), name, reader);
    }

    public static InspectCommand read() {
        return of(
                "read [URL] RESOURCE",
                "print the content of a resource",
                "the address of the resource",
                (client, words) -> {
                    var parts = client.resources().read(words.getFirst());
                    return new Seen(
                            ServerText.parts(parts),
                            ServerText.json(parts),
                            parts.size() == 1 ? parts.getFirst() : null);
                });
    }

    public static InspectCommand prompt() {
        return of(
                "prompt [URL] NAME [key=value...]",
                "print a prompt with its arguments filled in",
                "the name of the prompt",
                (client, words) -> {
                    var filled = client.prompts().get(words.getFirst(), arguments(words.subList(1, words.size())));
                    return new Seen(ServerText.filled(filled), ServerText.json(filled));
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

    public static InspectCommand ping() {
        return of("ping [URL]", "check that a server answers", null, (client, words) -> {
            var millis = client.ping().toMillis();
            var name = SafeText.line(client.server().name());
            return new Seen(
                    List.of(name + " answered in " + millis + " ms"),
                    JsonText.object().put("name", client.server().name()).put("millis", millis));
        });
    }

    /** The command that shows the server's description of itself. */
    public static InspectCommand info() {
        return of("info [URL]", "show what a server says about itself", null, (client, words) -> {
            var server = client.server();
            return new Seen(ServerText.info(server), ServerText.json(server));
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
        int needed = name == null ? 0 : 1;
        var server = NamedServer.of(arguments.words(), needed, terminal);
        var words = server.rest();
        if (name != null) {
            server.word(0, name);
        }
        if (!help.usage().endsWith("...]")) {
            Arguments.expectWords(words, needed);
        }
        boolean asJson = CallRunner.isJson(arguments);
        var builder = Credentials.client(server, arguments, terminal);
        try (var client = new CallRunner(terminal, arguments, interrupt -> {}).connect(builder, false)) {
            var seen = reader.read(client, words);
            if (asJson) {
                terminal.out().println(JsonText.pretty(seen.json()));
            } else if (seen.only() != null && terminal.out().write(bytes(seen.only()))) {
                return ExitCode.OK;
            } else if (seen.text().isEmpty()) {
                terminal.say(SafeText.line(client.server().name()) + " has none");
            } else {
                seen.text().forEach(terminal.out()::println);
            }
            return ExitCode.OK;
        }
    }
}
