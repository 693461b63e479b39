// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import java.nio.file.Path;
import java.util.Map;

/** The hosts whose configuration of servers is known: JSON with one object of servers by their names. */
enum Host {
    /** Claude Desktop; Claude Code uses the same form in {@code .mcp.json} of a project. */
    CLAUDE("mcpServers", false),
    /** Visual Studio Code, in the folder that is open. */
    VSCODE("servers", true),
    CURSOR("mcpServers", false);

    private static final String CLAUDE_FILE = "claude_desktop_config.json";

    private final String servers;
    private final boolean typed;

    Host(String servers, boolean typed) {
        this.servers = servers;
        this.typed = typed;
    }

    /**
     * The file in which this host keeps its servers.
     *
     * @param here   the current folder of the command
     * @param system the name of the operating system, in lower case
     */
    Path file(Path home, Path here, String system, Map<String, String> env) {
        return switch (this) {
            case CLAUDE -> {
                if (system.startsWith("mac")) {
                    yield home.resolve("Library/Application Support/Claude").resolve(CLAUDE_FILE);
                }
                yield system.startsWith("windows") && env.containsKey("APPDATA")
                        ? Path.of(env.get("APPDATA"), "Claude", CLAUDE_FILE)
                        : home.resolve(".config/Claude").resolve(CLAUDE_FILE);
            }
            case VSCODE -> here.resolve(".vscode/mcp.json");
            case CURSOR -> home.resolve(".cursor/mcp.json");
        };
    }

    /** The member with the servers. */
    String servers() {
        return servers;
    }

    /** Whether the entry of a server names its transport. */
    boolean isTyped() {
        return typed;
    }
}
