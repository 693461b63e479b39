// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A section of a page, typed as its reader does: listings of {@code sh} go into one shell, listings of {@code text} are
 * the output that comes before the reader goes on, and other listings are saved in the file that the words before them
 * name. In the output of a page, {@code …} is any text, and any lines where it is alone on a line.
 *
 * <p>{@code java TypedPage.java PAGE SECTION} types it in this folder, and prints what came of that.
 */
final class TypedPage {
    private static final Pattern PART =
            Pattern.compile("(?ms)`([^`\\n]+)`:\\n\\n```(\\w+)\\n(.*?)^```|^```(\\w+)\\n(.*?)^```");
    private static final Pattern WRITTEN_BY_EDITOR = Pattern.compile("(?m)^ +|^import .*\n|</\\w+>\n?");
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Of the page: another program may have it here. */
    private static final String PORT = "8080";

    private static final String TYPED = "-- typed --";

    private final List<Listing> listings;

    /**
     * @param file where it is saved; empty where it is typed or seen
     */
    private record Listing(String language, String file, String text) {}

    private TypedPage(List<Listing> listings) {
        this.listings = listings;
    }

    /** The section of that title, up to the next one. */
    static TypedPage of(Path page, String title) throws IOException {
        var section = Files.readString(page)
                .split("\n## " + Pattern.quote(title) + "\n", 2)[1]
                .split("\n## ", 2)[0];
        return new TypedPage(PART.matcher(section)
                .results()
                .map(part -> part.group(4) == null
                        ? new Listing(part.group(2), part.group(1), part.group(3))
                        : new Listing(part.group(4), "", part.group(5)))
                .toList());
    }

    /** How much a reader types in an editor, which indents, imports and closes tags by itself. */
    int characters() {
        return listings.stream()
                .filter(listing -> !listing.language().equals("text"))
                .mapToInt(listing ->
                        WRITTEN_BY_EDITOR.matcher(listing.text()).replaceAll("").length())
                .sum();
    }

    /**
     * Types it into a shell in folder {@code folder}.
     *
     * @param shell with its environment
     * @return all that was seen
     * @throws AssertionError where the shell ends before the output of the page was seen
     */
    String type(ProcessBuilder shell, Path folder) throws IOException {
        var port = freePort();
        var process = shell.directory(folder.toFile()).redirectErrorStream(true).start();
        var seen = new StringBuffer();
        // What hangs is seen as output that ends, behind the processes that run then.
        CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .execute(() -> {
                    process.descendants().map(TypedPage::described).forEach(seen::append);
                    end(process);
                });
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            var in = process.outputWriter(StandardCharsets.UTF_8);
            for (int i = 0; i < listings.size(); i++) {
                var listing = listings.get(i);
                var text = listing.text().replace(PORT, port);
                if (listing.language().equals("sh")) {
                    in.write(text + "echo '" + TYPED + "'\n");
                    in.flush();
                    await(out, outputAfter(i).replace(PORT, port), seen);
                } else if (!listing.language().equals("text")) {
                    Files.writeString(folder.resolve(listing.file()), text);
                }
            }
        } finally {
            end(process);
        }
        return seen.toString();
    }

    private static String described(ProcessHandle process) {
        var info = process.info();
        return process.pid() + ", processor " + info.totalCpuDuration().orElse(Duration.ZERO) + ": "
                + info.commandLine().orElse("?") + "\n";
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** What is seen after a listing was typed: anything, where the page says nothing. */
    private String outputAfter(int index) {
        boolean isShown = index + 1 < listings.size()
                && listings.get(index + 1).language().equals("text");
        return isShown ? listings.get(index + 1).text() : "…\n";
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        }
    }

    /** Reads until the shell has taken what was typed, and all that is expected was seen. */
    private static void await(BufferedReader out, String expected, StringBuffer seen) throws IOException {
        var lines = new ArrayList<String>();
        var pattern = pattern(expected);
        boolean typed = false;
        while (!typed || !pattern.matcher(String.join("", lines)).find()) {
            var line = out.readLine();
            if (line == null) {
                throw new AssertionError("the page shows\n" + expected + "and seen was\n" + seen);
            }
            seen.append(line).append('\n');
            // What was typed before may have left its line open: Maven ends with codes for colours alone.
            if (line.endsWith(TYPED)) {
                typed = true;
            } else {
                lines.add(line + "\n");
            }
        }
    }

    private static Pattern pattern(String expected) {
        // The log of a server writes its lines when it gets to it: before those of the command, or behind them.
        // Alone, ^ does not match where nothing was seen yet.
        var regex = new StringBuilder("(?m)(?:\\A|^)");
        for (var line : expected.lines().toList()) {
            regex.append(line.equals("…") ? "(?:.*\n)*?" : Pattern.quote(line).replace("…", "\\E.*\\Q") + "\n");
        }
        return Pattern.compile(regex.toString());
    }

    public static void main(String[] args) throws IOException {
        var page = TypedPage.of(Path.of(args[0]), args[1]);
        System.out.print(page.type(new ProcessBuilder("sh"), Path.of(".")));
    }
}
