package views

import "strings"

// agentBrowsers and agentSystems map parts of User-Agent headers to names. If a header
// contains several of these parts, the first one in the list applies. Most headers also
// contain the names of other browsers.
var (
	agentBrowsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
		{"curl/", "curl"},
	}
	agentSystems = [][2]string{
		{"Windows", "Windows"}, {"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// browserName describes a User-Agent header, such as "Firefox on Windows". If the
// browser is unknown, it returns the header itself.
func browserName(agent string) string {
	browser, system := firstPart(agentBrowsers, agent), firstPart(agentSystems, agent)
	switch {
	case browser == "":
		return agent
	case system == "":
		return browser
	}
	return browser + " on " + system
}

func firstPart(names [][2]string, agent string) string {
	for _, name := range names {
		if strings.Contains(agent, name[0]) {
			return name[1]
		}
	}
	return ""
}
