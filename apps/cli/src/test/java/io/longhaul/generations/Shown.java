// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

/** What the table says of one generation in one case. */
sealed interface Shown {

    /** It was seen on the wire, and was as it must be. */
    record Held(String text) implements Shown {}

    /** There is no such case in this generation. */
    record CannotBe(String reason) implements Shown {}
}
