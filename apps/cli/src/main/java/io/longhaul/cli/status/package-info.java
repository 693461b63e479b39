// SPDX-License-Identifier: Apache-2.0
/**
 * What is up at this machine, and what is wrong. The package changes nothing.
 */
@NullMarked
package io.longhaul.cli.status;

import org.jspecify.annotations.NullMarked;
