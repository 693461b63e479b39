// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The command by which Claude Code keeps the servers of a user. */
record ClaudeCode(List<String> line) {

    static ClaudeCode adding(String name, ObjectNode entry) {
        return new ClaudeCode(List.of("claude", "mcp", "add-json", "--scope", "user", name, JsonText.line(entry)));
    }

    static ClaudeCode removing(String name) {
        return new ClaudeCode(List.of("claude", "mcp", "remove", "--scope", "user", name));
    }

    /** The command as a person types it. */
    String typed() {
        var words = new ArrayList<>(line);
        words.replaceAll(word -> word.matches("[A-Za-z0-9._/-]+") ? word : "'" + word.replace("'", "'\\''") + "'");
        return String.join(" ", words);
    }

    /** Runs the command, which tells the user what it does. */
    int run(Terminal terminal) throws IOException {
        var started = new ArrayList<>(line);
        started.set(0, InstallTarget.program(line.getFirst(), terminal));
        try {
            boolean isDone = new ProcessBuilder(started).inheritIO().start().waitFor() == 0;
            return isDone ? ExitCode.OK : ExitCode.TOOL_ERROR;
        } catch (IOException e) {
            throw new UsageException("there is no program claude in PATH. Type this where it is, or change a project by"
                    + " --to .mcp.json: " + typed());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }
}
