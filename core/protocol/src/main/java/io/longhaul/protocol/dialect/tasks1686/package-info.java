// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks of the first form of SEP-1686: the {@code _meta} of any request can ask for a task, under an id that the
 * requestor chose, in the sessions of every version. The package knows no other dialect, and only its line in
 * {@code Drafts} knows it.
 */
@NullMarked
package io.longhaul.protocol.dialect.tasks1686;

import org.jspecify.annotations.NullMarked;
