// SPDX-License-Identifier: Apache-2.0
/**
 * Shows on this machine what Longhaul is for: a server is killed in the middle of a long call, and nothing is lost. The
 * package serves and calls as users do, and reads the store only to show what is in it.
 */
@NullMarked
package io.longhaul.cli.demo;

import org.jspecify.annotations.NullMarked;
