// SPDX-License-Identifier: Apache-2.0
/**
 * What the tests of Longhaul itself share: threads under the test's control, what a test may leave behind, and the
 * contract of backends. The package knows no server, no client and no single backend.
 */
@NullMarked
package io.longhaul.testkit;

import org.jspecify.annotations.NullMarked;
