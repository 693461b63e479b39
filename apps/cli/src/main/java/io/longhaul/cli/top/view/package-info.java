// SPDX-License-Identifier: Apache-2.0
/**
 * What a key does in the window of {@code top}, and what the window shows: pure functions of its state. The package
 * knows neither the server nor the terminal.
 */
@NullMarked
package io.longhaul.cli.top.view;

import org.jspecify.annotations.NullMarked;
