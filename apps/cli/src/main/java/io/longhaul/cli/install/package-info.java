// SPDX-License-Identifier: Apache-2.0
/** The configuration by which hosts find a Longhaul server. The package does not start the server. */
@NullMarked
package io.longhaul.cli.install;

import org.jspecify.annotations.NullMarked;
