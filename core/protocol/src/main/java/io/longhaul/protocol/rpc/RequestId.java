// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import org.jspecify.annotations.Nullable;

/** The id of a JSON-RPC request. {@code 1} and {@code "1"} are different ids. */
public sealed interface RequestId {

    record Text(String value) implements RequestId {}

    record Number(long value) implements RequestId {

        // The JVM generates these methods of a record at their first call, which would slow the start: each process
        // reads an id at once.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Number number && value == number.value;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(value);
        }
    }
}
