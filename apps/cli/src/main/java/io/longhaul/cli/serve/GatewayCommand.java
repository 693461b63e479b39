// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.ServerAddress;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.file.HostServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves other MCP servers: those of a file, or one that the command line names. For the latter, the command writes a
 * file, so that there is one way to serve, with all options.
 */
public final class GatewayCommand implements CliCommand {
    private static final Option LONG =
            Option.valued("--long", "TOOL", "run calls of this tool as tasks; may be repeated; only with SERVER");
    private static final List<String> DETAILS = List.of(
            "SERVER is an address, or 'stdio:PROGRAM ARGUMENT...', which gets the environment of the gateway."
                    + " HOST.json is",
            "a file in which a host keeps its servers. A file has upstreams:, see docs/GATEWAY.md, and may have tools:"
                    + " of",
            "its own.",
            "Calls of tools that a server runs as tasks, or that the file or --long names, are durable: a gateway that",
            "dies goes on with them when it is started again. All other requests pass through.",
            ServeCommand.EXIT_CODES);

    @Override
    public Help help() {
        return new Help(
                "gateway FILE.yaml|HOST.json|SERVER",
                "serve other MCP servers, of any generation, with durable tasks",
                DETAILS,
                Option.and(ServeOptions.OF_GATEWAY, LONG));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException, InterruptedException {
        var word = arguments.word(0, "the file that lists the servers, or a server");
        arguments.expectWords(1);
        boolean isOfHost = HostServers.isFile(word);
        boolean isFile = isOfHost || word.matches("(?i).*\\.ya?ml") || Files.isRegularFile(Path.of(word));
        if (isFile && arguments.has(LONG)) {
            throw new UsageException("--long goes with one server. Write long: below the server in the file.");
        }
        var upstreams = isOfHost ? ofHost(word) : isFile ? null : ofServer(word, arguments);
        var named = isOfHost ? Path.of(word).toAbsolutePath().normalize().toString() : word;
        var file = upstreams == null ? Path.of(word) : made(named, upstreams, arguments, terminal.env());
        if (isOfHost) {
            terminal.say(file.getFileName() + " stands for " + SafeText.line(named));
        }
        return ServeCommand.serve(ServeOptions.ofGateway(file, arguments), arguments, terminal);
    }

    private static ObjectNode ofHost(String file) {
        var path = Path.of(file).toAbsolutePath().normalize();
        if (!Files.isRegularFile(path)) {
            throw new UsageException("there is no file " + path + ".");
        }
        return JsonText.object().put("file", path.toString());
    }

    private static ObjectNode ofServer(String server, Arguments arguments) {
        var upstreams = JsonText.object();
        var upstream = upstreams.putObject("upstream");
        switch (CommandTarget.address(server)) {
            case ServerAddress.Http(var url) -> upstream.put("url", url.toString());
            case ServerAddress.Command(var command) -> {
                command.forEach(upstream.putArray("command")::add);
                upstream.putArray("inherit").add("*");
            }
        }
        if (arguments.has(LONG)) {
            arguments.values(LONG).forEach(upstream.putArray("long")::add);
        }
        return upstreams;
    }

    /** Writes the file for what is named. Its name is the same each time, because it determines the data folder. */
    private static Path made(String named, ObjectNode upstreams, Arguments arguments, Map<String, String> env)
            throws IOException {
        var json = JsonText.object().put("name", "gateway");
        json.set("upstreams", upstreams);
        var folder = arguments.value(ServeOptions.DATA).map(Path::of).orElseGet(() -> ThisProgram.state(env));
        PrivateFiles.createFolder(folder);
        var file = folder.resolve("gateway-" + DataFolder.mark(named) + ".yaml");
        if (!Files.exists(file)) {
            PrivateFiles.createFile(file);
        }
        // JSON is valid YAML.
        Files.writeString(file, JsonText.pretty(json));
        return file;
    }
}
