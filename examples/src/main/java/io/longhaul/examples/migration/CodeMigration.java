// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.ChildTask;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.annotation.McpParam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Migrates the repositories of a folder: one task lists them, and calls a task for each. A repository gets a branch on
 * which {@code new Integer(x)} and similar calls, which Java will remove, are {@code Integer.valueOf(x)}. The branch
 * must pass its build.
 */
public final class CodeMigration {

    static final String BRANCH = "longhaul/boxed-constructors";

    private static final String STATE = ".migration";
    private static final int OPEN_CHILDREN = 20;

    private CodeMigration() {}

    record Folder(
            @McpParam(description = "A folder on the server whose folders are git repositories")
            String folder) {}

    record Repository(
            @McpParam(description = "A git repository on the server")
            String path) {}

    /**
     * The result for a repository.
     *
     * @param calls   the number of replaced constructor calls
     * @param commit  the head of the branch; empty where there is none
     * @param problem the first error of the build; empty where there is none
     */
    record Migrated(String repository, int files, int calls, String commit, String problem) {}

    record Names(List<String> names) {}

    record Report(int repositories, int migrated, int unchanged, int failed, List<Migrated> table) {}

    public static List<Tool> tools() {
        return List.of(
                Tool.define("migrate_repositories")
                        .description("Migrates all repositories of a folder, each in a task of its own.")
                        .input(Folder.class)
                        .output(Report.class)
                        .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                        .handler(CodeMigration::all),
                Tool.define("migrate_repository")
                        .description("Replaces deprecated constructors in a repository, on a branch of its own.")
                        .input(Repository.class)
                        .output(Migrated.class)
                        .longRunning(t -> t.onCrash(CrashPolicy.RESTART).concurrency(2))
                        .handler(CodeMigration::one));
    }

    private static Report all(Folder request, TaskContext task) throws Exception {
        var folder = Path.of(request.folder());
        var names = task.step("list", Names.class, () -> repositories(folder)).names();
        var table = new ArrayList<Migrated>();
        for (int from = 0; from < names.size(); from += OPEN_CHILDREN) {
            Map<String, ChildTask> children = new LinkedHashMap<>();
            for (var name : names.subList(from, Math.min(from + OPEN_CHILDREN, names.size()))) {
                var repository = new Repository(folder.resolve(name).toString());
                children.put(name, task.call("repository " + name, "migrate_repository", repository));
            }
            for (var child : children.entrySet()) {
                var row = row(child.getKey(), child.getValue());
                table.add(row);
                if (table.size() > task.partialCount()) {
                    task.partial(row);
                }
                task.progress(table.size(), names.size(), row.repository());
            }
        }
        return report(table);
    }

    /** The row for a child. A failed child is also a row, and the other children go on. */
    private static Migrated row(String name, ChildTask child) throws InterruptedException {
        try {
            return child.await(Migrated.class);
        } catch (ChildFailedException e) {
            return new Migrated(name, 0, 0, "", "the task has failed: " + e.getMessage());
        }
    }

    private static Report report(List<Migrated> table) {
        int failed = Math.toIntExact(
                table.stream().filter(row -> !row.problem().isEmpty()).count());
        int unchanged = Math.toIntExact(table.stream()
                .filter(row -> row.problem().isEmpty() && row.calls() == 0)
                .count());
        return new Report(table.size(), table.size() - failed - unchanged, unchanged, failed, table);
    }

    private static Names repositories(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new ToolException("There is no folder " + folder + ".");
        }
        try (var all = Files.list(folder)) {
            return new Names(all.filter(path -> Files.isDirectory(path.resolve(".git")))
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList());
        }
    }

    /**
     * Migrates one repository in separate checkouts, so that the files of a person who works in the repository stay as
     * they are. Each step can be repeated: a checkout begins at a recorded commit, and the same change gives the same
     * commit.
     */
    private static Migrated one(Repository request, TaskContext task) throws Exception {
        var path = Path.of(request.path()).toAbsolutePath();
        var name = path.getFileName().toString();
        var state = Files.createDirectories(path.resolveSibling(STATE));
        var git = new Git(path);
        var base = task.step("base", String.class, () -> git.run("rev-parse", "HEAD"));
        var change = task.step("rewrite", Change.class, () -> rewritten(git, state.resolve(name), base));
        task.progress(1, 3, change.calls() + " calls in " + change.files() + " files");
        if (change.calls() == 0) {
            return new Migrated(name, 0, 0, "", "");
        }
        // A build goes on for a while after its server is killed: the next attempt builds in a folder of its own.
        var place = state.resolve(name + ".build-" + task.attempt());
        var problem = task.step("build", String.class, () -> problem(git, place, change.commit()));
        task.progress(2, 3, problem.isEmpty() ? "builds" : "does not build");
        if (!problem.isEmpty()) {
            return new Migrated(name, change.files(), change.calls(), "", problem);
        }
        task.step("branch", String.class, () -> git.run("branch", "--force", BRANCH, change.commit()));
        return new Migrated(name, change.files(), change.calls(), change.commit(), "");
    }

    private static Change rewritten(Git git, Path checkout, String base) throws IOException, InterruptedException {
        git.checkout(checkout, base);
        var change = new SourceRewrite(checkout).rewrite();
        var commit = change.calls() == 0 ? "" : git.commit(checkout, "Replace boxed constructors");
        git.removeCheckout(checkout);
        return new Change(change.files(), change.calls(), commit);
    }

    private static String problem(Git git, Path checkout, String commit) throws IOException, InterruptedException {
        git.checkout(checkout, commit);
        try {
            return new Build(checkout).firstError();
        } finally {
            git.removeCheckout(checkout);
        }
    }
}
