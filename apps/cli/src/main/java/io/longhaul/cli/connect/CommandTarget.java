// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the target of a command: an address, or {@code stdio:} and a command to start. */
public final class CommandTarget {
    private static final String STDIO = "stdio:";
    private static final String REFERENCE = "longhaul-task/";

    /** A word with its quotes and backslashes. */
    private static final Pattern WORD =
            Pattern.compile("(?s)(?:'[^']*'|\"(?:\\\\.|[^\"\\\\])*\"|\\\\(?:.|$)|[^\\p{javaWhitespace}'\"\\\\]++)+");

    /** What stands for other text in a word: single quotes, double quotes, or a backslash. */
    private static final Pattern QUOTED = Pattern.compile("(?s)'([^']*)'|\"((?:\\\\.|[^\"\\\\])*)\"|(\\\\.)");

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
        return UsageException.expect("", () -> TaskReference.parse(text));
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
        if (!WORD.matcher(line).replaceAll("").isBlank()) {
            throw new UsageException("a quote is not closed in: " + line);
        }
        return WORD.matcher(line).results().map(word -> unquoted(word.group())).toList();
    }

    private static String unquoted(String word) {
        return QUOTED.matcher(word)
                .replaceAll(part -> Matcher.quoteReplacement(
                        part.group(1) != null
                                ? part.group(1)
                                : unescaped(part.group(2) != null ? part.group(2) : part.group(3))));
    }

    private static String unescaped(String text) {
        return text.replaceAll("(?s)\\\\(.)", "$1");
    }
}
