// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;

/**
 * Finds out on whose behalf a request is by all that the application knows of it, in place of Spring Security's
 * authentication: a bean of this type replaces what Longhaul does by itself. It runs on the thread of the container and
 * must not wait for anything. Thread-safe.
 */
@FunctionalInterface
public interface ServletCallers extends Function<HttpServletRequest, Resolution> {}
