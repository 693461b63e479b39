// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder for one data file, which is not there yet. */
abstract class SqliteFolder {

    @TempDir
    Path folder;

    Path file;

    @BeforeEach
    final void nameFile() {
        file = folder.resolve("tasks.db");
    }
}
