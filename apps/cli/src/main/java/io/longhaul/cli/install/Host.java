// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.text.JsonText;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The hosts whose configuration of servers is known. {@code docs/HOSTS.md} has the source of each form. */
enum Host {
    CLAUDE("Claude Desktop", "mcpServers", new JsonEdit()),
    /** Has its servers by a command of its own; the form is that of {@code .mcp.json} in a project. */
    CLAUDE_CODE("Claude Code", "mcpServers", new JsonEdit()),
    /** Visual Studio Code, in the folder that is open. */
    VSCODE("VS Code", "servers", new JsonEdit()),
    CURSOR("Cursor", "mcpServers", new JsonEdit()),
    WINDSURF("Windsurf", "mcpServers", new JsonEdit()),
    ZED("Zed", "context_servers", new JsonEdit()),
    CODEX("Codex", "mcp_servers", new TomlEdit()),
    GEMINI("Gemini CLI", "mcpServers", new JsonEdit()),
    GOOSE("Goose", "extensions", new YamlEdit()),
    /** Junie, the agent of the IDEs. */
    JETBRAINS("the IDE", "mcpServers", new JsonEdit());

    private static final int GOOSE_TIMEOUT_S = 300;

    private final String title;
    private final String servers;
    private final FileEdit edit;

    Host(String title, String servers, FileEdit edit) {
        this.title = title;
        this.servers = servers;
        this.edit = edit;
    }

    /** The word by which a user names the host. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> words() {
        return Stream.of(values()).map(Host::word).toList();
    }

    static Optional<Host> find(String word) {
        return Stream.of(values()).filter(host -> host.word().equals(word)).findFirst();
    }

    String title() {
        return title;
    }

    /** The member with the servers. */
    String servers() {
        return servers;
    }

    /** How its file is changed. */
    FileEdit edit() {
        return edit;
    }

    /** Whether it starts programs only, and reaches no server by an address. */
    boolean takesOnlyPrograms() {
        return this == CLAUDE || this == JETBRAINS;
    }

    /**
     * The file in which this host keeps its servers.
     *
     * @param here   the current folder of the command
     * @param system the name of the operating system, in lower case
     */
    Path file(Path home, Path here, String system, Map<String, String> env) {
        boolean isWindows = system.startsWith("windows") && env.containsKey("APPDATA");
        var config = isWindows ? Path.of(env.get("APPDATA")) : home.resolve(".config");
        return switch (this) {
            case CLAUDE ->
                (system.startsWith("mac") ? home.resolve("Library/Application Support") : config)
                        .resolve("Claude/claude_desktop_config.json");
            case CLAUDE_CODE -> here.resolve(".mcp.json");
            case VSCODE -> here.resolve(".vscode/mcp.json");
            case CURSOR -> home.resolve(".cursor/mcp.json");
            case WINDSURF -> home.resolve(".codeium/windsurf/mcp_config.json");
            case ZED -> config.resolve(isWindows ? "Zed/settings.json" : "zed/settings.json");
            case CODEX ->
                Optional.ofNullable(env.get("CODEX_HOME"))
                        .map(Path::of)
                        .orElse(home.resolve(".codex"))
                        .resolve("config.toml");
            case GEMINI -> home.resolve(".gemini/settings.json");
            case GOOSE -> config.resolve(isWindows ? "Block/goose/config/config.yaml" : "goose/config.yaml");
            case JETBRAINS -> home.resolve(".junie/mcp/mcp.json");
        };
    }

    /** The entry of a server that this host starts. */
    ObjectNode started(String name, List<String> command) {
        var entry = begun(name, "stdio");
        entry.put(this == GOOSE ? "cmd" : "command", command.getFirst());
        var arguments = entry.putArray("args");
        command.subList(1, command.size()).forEach(arguments::add);
        return entry;
    }

    /** The entry of a server that this host reaches over HTTP. */
    ObjectNode reached(String name, URI address) {
        var field = switch (this) {
            case WINDSURF -> "serverUrl";
            case GEMINI -> "httpUrl";
            case GOOSE -> "uri";
            default -> "url";
        };
        return begun(name, this == GOOSE ? "streamable_http" : "http").put(field, address.toString());
    }

    private ObjectNode begun(String name, String type) {
        var entry = JsonText.object();
        return switch (this) {
            case VSCODE, CLAUDE_CODE -> entry.put("type", type);
            case ZED -> type.equals("stdio") ? entry.put("source", "custom") : entry;
            case GOOSE ->
                entry.put("enabled", true)
                        .put("type", type)
                        .put("name", name)
                        .put("description", "")
                        .put("timeout", GOOSE_TIMEOUT_S);
            default -> entry;
        };
    }

    /** The text that its file has for only one server. */
    String configuration(String name, ObjectNode entry) {
        return edit.with("", servers, name, entry);
    }
}
