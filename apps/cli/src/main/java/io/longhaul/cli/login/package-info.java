// SPDX-License-Identifier: Apache-2.0
/** {@code longhaul login}, and what it keeps. */
@NullMarked
package io.longhaul.cli.login;

import org.jspecify.annotations.NullMarked;
