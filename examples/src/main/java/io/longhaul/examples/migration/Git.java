// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs git in one repository. */
final class Git {

    private final Path repository;

    Git(Path repository) {
        this.repository = repository;
    }

    /** Runs git in the repository, and gives its output. */
    String run(String... arguments) throws IOException, InterruptedException {
        return run(repository, "", arguments);
    }

    /** Makes a checkout of a commit in a folder, in place of any earlier checkout there. */
    void checkout(Path place, String commit) throws IOException, InterruptedException {
        removeCheckout(place);
        run("worktree", "add", "--detach", "--force", place.toString(), commit);
    }

    void removeCheckout(Path place) throws IOException, InterruptedException {
        if (Files.exists(place)) {
            run("worktree", "remove", "--force", place.toString());
        }
        run("worktree", "prune");
    }

    /**
     * Commits the changes in a checkout, and gives the commit. The commit has the date of its parent, so that the same
     * change always gives the same commit.
     */
    String commit(Path checkout, String message) throws IOException, InterruptedException {
        var date = run(checkout, "", "show", "--no-patch", "--format=%cI", "HEAD");
        run(checkout, date, "commit", "--quiet", "--no-verify", "--all", "--message", message);
        return run(checkout, "", "rev-parse", "HEAD");
    }

    private static String run(Path folder, String date, String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("git", "-c", "user.name=Longhaul", "-c", "user.email=longhaul@localhost"));
        words.addAll(List.of("-c", "commit.gpgSign=false"));
        words.addAll(List.of(arguments));
        Map<String, String> dates =
                date.isEmpty() ? Map.of() : Map.of("GIT_AUTHOR_DATE", date, "GIT_COMMITTER_DATE", date);
        var ended = Command.run(folder, dates, words);
        if (ended.code() != 0) {
            throw new IOException(String.join(" ", words) + " in " + folder + ": " + ended.output());
        }
        return ended.output();
    }
}
