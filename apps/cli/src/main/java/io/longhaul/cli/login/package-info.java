// SPDX-License-Identifier: Apache-2.0
/**
 * {@code longhaul login}, and what it keeps. How a token is obtained is the matter of the module that authorizes
 * clients.
 */
@NullMarked
package io.longhaul.cli.login;

import org.jspecify.annotations.NullMarked;
