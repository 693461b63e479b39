// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Reads the target of a command: an address, or {@code stdio:} and a command to start. */
public final class CommandTarget {
    private static final String STDIO = "stdio:";
    private static final String REFERENCE = "longhaul-task/";

    private CommandTarget() {}

    /** A client of the server that {@code target} names, yet to be connected. */
    public static McpClientBuilder client(String target) {
        return McpClient.to(address(target));
    }

    /** A client of the server of a task, in the generation in which the task was made. */
    public static McpClientBuilder client(TaskReference reference) {
        return McpClient.to(reference.server()).generation(reference.generation());
    }

    /** A client of the server of a task, in any generation that both speak. */
    public static McpClientBuilder clientOfServer(TaskReference reference) {
        return McpClient.to(reference.server());
    }

    /** Whether {@code word} has the form of a task reference. */
    public static boolean isReference(String word) {
        return word.startsWith(REFERENCE);
    }

    /**
     * Reads the reference of a task.
     *
     * @throws UsageException where the text is no such value
     */
    public static TaskReference reference(String text) {
        try {
            return TaskReference.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** The address that {@code target} names. */
    public static ServerAddress address(String target) {
        if (target.startsWith(STDIO)) {
            var words = words(target.substring(STDIO.length()));
            if (words.isEmpty()) {
                throw new UsageException("stdio: names no program. Write 'stdio:PROGRAM ARGUMENT...', in quotes.");
            }
            return new ServerAddress.Command(words);
        }
        return new ServerAddress.Http(http(target));
    }

    /**
     * Reads the address of a server over HTTP.
     *
     * @throws UsageException where the text is no such value
     */
    public static URI http(String target) {
        var whole = target.matches("(?i)[a-z][a-z0-9+.-]*://.*") ? target : "http://" + target;
        try {
            var uri = URI.create(whole);
            if (ClientHttp.isOfServer(uri)) {
                return uri.getRawPath().isEmpty() && uri.getRawQuery() == null ? URI.create(whole + "/mcp") : uri;
            }
        } catch (IllegalArgumentException e) {
            throw unusable(target);
        }
        throw unusable(target);
    }

    private static UsageException unusable(String target) {
        return new UsageException("\"" + target + "\" is no address of a server."
                + " Write one such as http://127.0.0.1:8080/mcp, or 'stdio:PROGRAM ARGUMENT...'.");
    }

    /** Splits a command as a shell would, with quotes and backslashes but nothing else. */
    static List<String> words(String line) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new UsageException("a quote is not closed in: " + line);
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
