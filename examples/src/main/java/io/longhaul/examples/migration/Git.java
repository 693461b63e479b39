// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
     * Commits the changes in a checkout, sets a branch to the commit, and gives the commit. The commit has the date of
     * its parent, so that the same change always gives the same commit.
     */
    String commit(Path checkout, String branch, String message) throws IOException, InterruptedException {
        run(checkout, "", "add", "--all");
        if (!run(checkout, "", "status", "--porcelain").isEmpty()) {
            var date = run(checkout, "", "show", "--no-patch", "--format=%cI", "HEAD");
            run(checkout, date, "commit", "--quiet", "--no-verify", "--message", message);
        }
        var commit = run(checkout, "", "rev-parse", "HEAD");
        run("branch", "--force", branch, commit);
        return commit;
    }

    private static String run(Path folder, String date, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of("-c", "user.name=Longhaul", "-c", "user.email=longhaul@localhost"));
        command.addAll(List.of("-c", "commit.gpgSign=false"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (!date.isEmpty()) {
            builder.environment().put("GIT_AUTHOR_DATE", date);
            builder.environment().put("GIT_COMMITTER_DATE", date);
        }
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
        return said;
    }
}
