// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The server that a command is for: the one that its first word names; else that of {@code LONGHAUL_URL}, else that of
 * a file {@code .longhaul} in the current folder or above, else the only one of this user that runs.
 *
 * @param target  the address
 * @param rest    the words after the address
 * @param foundBy what named the server; empty for the command line
 */
public record NamedServer(String target, List<String> rest, String foundBy) {

    /** The variable that names the server of all commands. */
    public static final String VARIABLE = "LONGHAUL_URL";

    /** The line of help for the commands that ask a server. */
    public static final String HELP = "Without URL: the server of " + VARIABLE + ", of a file .longhaul here or above"
            + " with its address, or the only\n  one of yours that runs.";

    private static final String FILE = ".longhaul";

    /** What cannot be anything else: neither a tool, nor a task, nor a resource. */
    private static final Pattern ADDRESS = Pattern.compile(
            "(?is)stdio:.*|https?://.*|(localhost|(\\d+\\.){3}\\d+)(/.*)?|([\\w.-]+|\\[[^]]*]):\\d+([/?].*)?");

    /**
     * Reads the words of a command. A first word with a dot that may be an address or not is one where the command has
     * more words than it needs, without those of the form {@code key=value}.
     *
     * @param needed the words after the address that the command needs
     * @throws UsageException where nothing names a server
     */
    public static NamedServer of(List<String> words, int needed, Terminal terminal) {
        long named = words.stream().takeWhile(word -> !word.contains("=")).count();
        boolean isFirst = !words.isEmpty()
                && (named > needed && words.getFirst().contains(".")
                        || ADDRESS.matcher(words.getFirst()).matches());
        return isFirst
                ? new NamedServer(words.getFirst(), words.subList(1, words.size()), "")
                : found(terminal).with(words);
    }

    private NamedServer with(List<String> words) {
        return new NamedServer(target, words, foundBy);
    }

    /**
     * The server of a command without an address.
     *
     * @throws UsageException where there is none, or several run
     */
    public static NamedServer found(Terminal terminal) {
        var variable = terminal.env().getOrDefault(VARIABLE, "").strip();
        return variable.isEmpty()
                ? inFolder().orElseGet(() -> onlyOne(terminal))
                : new NamedServer(variable, List.of(), VARIABLE);
    }

    private static Optional<NamedServer> inFolder() {
        var home = Path.of(System.getProperty("user.home"));
        for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            var file = folder.resolve(FILE);
            if (Files.isRegularFile(file)) {
                return Optional.of(new NamedServer(address(file, home), List.of(), file.toString()));
            }
            if (folder.equals(home)) {
                break;
            }
        }
        return Optional.empty();
    }

    /** A program is never started because a folder says so, and a folder of all users may have a file of another. */
    private static String address(Path file, Path home) {
        try {
            boolean isPosix = Files.getFileStore(file).supportsFileAttributeView("posix");
            if (isPosix && !Files.getOwner(file).equals(Files.getOwner(home))) {
                throw new UsageException(file + " belongs to another user, and is not followed. Set " + VARIABLE
                        + " to the address of the server.");
            }
            return CommandTarget.http(Files.readString(file).strip()).toString();
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read (" + e.getMessage() + ").");
        } catch (UsageException e) {
            throw new UsageException(file + ": " + e.getMessage());
        }
    }

    private static NamedServer onlyOne(Terminal terminal) {
        var running = ListeningServer.running(terminal.env());
        if (running.size() == 1) {
            return new NamedServer(
                    Objects.requireNonNull(running.getFirst().url()), List.of(), "the only server of yours that runs");
        }
        throw new UsageException(
                running.isEmpty()
                        ? "which server? None of yours listens here. Write the address of one, such as"
                                + " http://127.0.0.1:8080/mcp, or start one: longhaul serve FILE.yaml"
                        : "which server? Several of yours run. Write the address of one before the other words, or set "
                                + VARIABLE + ":\n"
                                + running.stream()
                                        .map(ListeningServer::toString)
                                        .collect(Collectors.joining("\n")));
    }

    /** Whether neither the command line nor the environment names the server. */
    boolean isGuessed() {
        return !foundBy.isEmpty() && !foundBy.equals(VARIABLE);
    }

    /**
     * The word at {@code index} behind the address.
     *
     * @throws UsageException where there are fewer words
     */
    public String word(int index, String what) {
        if (index >= rest.size()) {
            throw new UsageException(what + " is missing. See --help.");
        }
        return rest.get(index);
    }
}
