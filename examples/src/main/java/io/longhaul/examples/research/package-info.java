// SPDX-License-Identifier: Apache-2.0
/**
 * Answers questions from a folder of documents, each question in a task of its own. The package starts no server:
 * {@code ExampleServer} serves its tools.
 */
@NullMarked
package io.longhaul.examples.research;

import org.jspecify.annotations.NullMarked;
