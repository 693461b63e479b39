// SPDX-License-Identifier: Apache-2.0
/**
 * Calls, answers and notices between peers, as values that no generation owns: dialects translate them. The package
 * knows no dialect, no revision and no engine.
 */
@NullMarked
package io.longhaul.protocol.call;

import org.jspecify.annotations.NullMarked;
