// SPDX-License-Identifier: Apache-2.0
/**
 * What happens to a task: the numbered events of its history, and what each of them says. The package knows neither how
 * events are stored nor who hears of them.
 */
@NullMarked
package io.longhaul.engine.history;

import org.jspecify.annotations.NullMarked;
