// SPDX-License-Identifier: Apache-2.0
/**
 * What runs the work of a task: {@link io.longhaul.engine.run.Backend}, the {@link io.longhaul.engine.run.Run} through
 * which its code reports, asks and records steps, and what backends of external jobs share ({@code Starts}, {@code
 * PollPace}, {@code RemoteResult}). It knows neither the store nor the ledger: a backend cannot change its task but
 * through its run.
 */
@NullMarked
package io.longhaul.engine.run;

import org.jspecify.annotations.NullMarked;
