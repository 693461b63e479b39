// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.io.IOException;
import java.nio.file.Path;

/** Opens a store, says so, and keeps it open. */
final class HoldingMain {
    private HoldingMain() {}

    public static void main(String[] arguments) throws IOException {
        try (var store = SqliteTaskStore.at(Path.of(arguments[0]))) {
            System.out.println("open " + store.rows().hashCode());
            System.in.read();
        }
    }
}
