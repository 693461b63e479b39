// SPDX-License-Identifier: Apache-2.0
/**
 * The audit log: which caller did what to which task, without disclosing any id. The package sees a server by its
 * neutral events alone.
 */
@NullMarked
package io.longhaul.cli.audit;

import org.jspecify.annotations.NullMarked;
