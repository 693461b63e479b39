// SPDX-License-Identifier: Apache-2.0
/** The audit log: who did what to which task, written so that it gives no id away. */
@NullMarked
package io.longhaul.cli.audit;

import org.jspecify.annotations.NullMarked;
