// SPDX-License-Identifier: Apache-2.0
/**
 * How tasks, events and times become the bytes and numbers of rows, sealed where there are keys, and are read from
 * them. What is written begins with the number of its form. A form that a release has written never changes: another
 * shape needs the next number, and a reader of both. The package knows no connection and no statement, and does not
 * know which rows are written when.
 */
@NullMarked
package io.longhaul.store.jdbc.codec;

import org.jspecify.annotations.NullMarked;
