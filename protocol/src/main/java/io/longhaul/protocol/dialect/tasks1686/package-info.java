// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks as SEP-1686 had them first: any request becomes one by what its {@code _meta} says, under an id that the
 * requestor chose, in the sessions of every version.
 */
@NullMarked
package io.longhaul.protocol.dialect.tasks1686;

import org.jspecify.annotations.NullMarked;
