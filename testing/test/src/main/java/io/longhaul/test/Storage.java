// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The storage of a test's tasks, which outlives the processes of its server. For one thread at a time. */
abstract class Storage implements AutoCloseable {

    private @Nullable TaskStore current;

    /** Storage in memory. */
    static Storage memory() {
        return new Storage() {
            @Override
            TaskStore open(@Nullable TaskStore before) {
                return before instanceof MemoryTaskStore memory ? memory.reopen() : new MemoryTaskStore();
            }
        };
    }

    /** Storage in the files of a real store, in a folder that is deleted at the end. */
    static Storage files(LonghaulExtension.StoreOpener opener) {
        return new Storage() {
            private @Nullable Path folder;

            @Override
            TaskStore open(@Nullable TaskStore before) throws Exception {
                if (before != null) {
                    before.close();
                }
                folder = folder == null ? Files.createTempDirectory("longhaul-test") : folder;
                return opener.open(folder);
            }

            @Override
            public void close() {
                super.close();
                if (folder != null) {
                    delete(folder);
                }
            }
        };
    }

    /**
     * Opens a store on the data of the last store, which accepts no more calls; {@code before} is null for an empty
     * store.
     */
    abstract TaskStore open(@Nullable TaskStore before) throws Exception;

    /** The store that is open now. */
    final TaskStore store() {
        return current == null ? reopened() : current;
    }

    /** Opens the store again for the next process. */
    final TaskStore reopened() {
        try {
            current = open(current);
            return current;
        } catch (Exception e) {
            throw new IllegalStateException("the store of the test cannot be opened", e);
        }
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
        }
    }

    private static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException trouble) throws IOException {
                    Files.delete(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
